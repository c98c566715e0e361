#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "base/time.h"
#include "client/event.h"
#include "client/limits.h"
#include "client/lru_map.h"

namespace plimsoll::client {

/// Event to write.
struct EventOutcome {
  Event event;         // with the final name and count
  bool is_new = true;  // create it; otherwise patch, and create it if it does not exist
};

/// Reduces the number of events, as upstream's correlator does:
///  - a repeated event (source, object, type, reason, message) increments the count of the first;
///  - the tenth different message of one reason about one object within ten minutes, and all later
///    ones, become one event, `(combined from similar events): …`, with a count;
///  - for one object only 25 events at once are written, then one in five minutes. The others are
///    still counted.
/// Remembers the last 4096 of each. For one thread at a time.
class EventCorrelator {
 public:
  /// Returns nullopt if the rate limit for this object is exceeded.
  std::optional<EventOutcome> Correlate(Event event, Instant now);

 private:
  struct Similar {
    std::set<std::string> messages;
    Instant last;
  };
  struct Known {
    std::string name;
    std::int32_t count = 0;
    Instant first;
  };
  struct Budget {
    bool is_used = false;
    double tokens = 0;
    Instant last;
  };

  std::string Aggregate(Event& event, Instant now);
  bool AcquireToken(const Event& event, Instant now);

  LruMap<Similar> similar_{kRememberedEventsMax};
  LruMap<Known> known_{kRememberedEventsMax};
  LruMap<Budget> budgets_{kRememberedEventsMax};
};

/// Makes series of events that are equal, including the message. A series is written when it begins
/// and then at most once a minute. After six minutes without one, the next is a new event.
/// Remembers the last 4096. For one thread at a time.
class SeriesCorrelator {
 public:
  /// Returns nullopt if the event is only counted.
  std::optional<EventOutcome> Correlate(Event event, Instant now);

 private:
  struct Known {
    std::string name;
    std::int32_t count = 0;
    Instant first;
    Instant last;
    Instant told;
  };
  LruMap<Known> known_{kRememberedEventsMax};
};

}  // namespace plimsoll::client
