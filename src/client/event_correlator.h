#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "base/time.h"
#include "client/event.h"
#include "client/lru_map.h"

namespace plimsoll::client {

/// What is to be written.
struct EventOutcome {
  Event event;         // with the name and the count it is to have
  bool is_new = true;  // create it; else patch, and create it if it is not there
};

/// Makes few of many events, as upstream's correlator does:
///  - the same again (source, object, type, reason, message) counts up the first one;
///  - from the tenth message of one reason about one object within ten minutes on, they become one
///    event, `(combined from similar events): …`, which counts up;
///  - about one object only 25 at once are let through, then one in five minutes. Those that are
///    not still count.
/// Remembers the last 4096 of each. One thread at a time.
class EventCorrelator {
 public:
  /// Nothing: too many about this object.
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
  static constexpr std::size_t kRemembered = 4096;

  std::string Aggregate(Event& event, Instant now);
  bool TakeToken(const Event& event, Instant now);

  LruMap<Similar> similar_{kRemembered};
  LruMap<Known> known_{kRemembered};
  LruMap<Budget> budgets_{kRemembered};
};

/// Makes series of events that are the same in all, the message too. A series is told when it
/// begins and then once a minute at most; after six quiet minutes the next one is a new event.
/// Remembers the last 4096. One thread at a time.
class SeriesCorrelator {
 public:
  /// Nothing: it only counts.
  std::optional<EventOutcome> Correlate(Event event, Instant now);

 private:
  struct Known {
    std::string name;
    std::int32_t count = 0;
    Instant first;
    Instant last;
    Instant told;
  };
  static constexpr std::size_t kRemembered = 4096;

  LruMap<Known> known_{kRemembered};
};

}  // namespace plimsoll::client
