#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "api/object.h"
#include "base/time.h"
#include "client/lru_map.h"

namespace plimsoll::client {

/// The object that an event is about: `core/v1 ObjectReference`.
struct ObjectReference {
  std::string api_version;
  std::string kind;
  std::string namespace_;
  std::string name;
  std::string uid;
  std::string resource_version;
  std::string field_path;  // spec.containers{web}
};

ObjectReference ReferenceTo(const api::Object& object);

/// Who tells.
struct EventSource {
  std::string component;  // default-scheduler
  std::string host;
};

enum class EventType : std::uint8_t { Normal, Warning };

/// `core/v1 Event`, as far as it is written here.
struct Event {
  ObjectReference regarding;
  EventType type = EventType::Normal;
  std::string reason;
  std::string message;
  std::string name;  // of the Event itself
  std::int32_t count = 1;
  Instant first;
  Instant last;

  std::string_view namespace_() const {
    return regarding.namespace_.empty() ? "default" : std::string_view(regarding.namespace_);
  }
  std::string Json(const EventSource& source) const;
  /// A strategic merge patch with what changes when it happens again.
  std::string PatchJson() const;
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
  explicit EventCorrelator(EventSource source) : source_(std::move(source)) {}

  struct Outcome {
    Event event;         // with the name and the count it is to have
    bool is_new = true;  // create it; else patch, and create it if it is not there
  };
  /// Nothing: too many about this object.
  std::optional<Outcome> Correlate(Event event, Instant now);

  const EventSource& source() const { return source_; }

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

  const EventSource source_;
  LruMap<Similar> similar_{kRemembered};
  LruMap<Known> known_{kRemembered};
  LruMap<Budget> budgets_{kRemembered};
};

}  // namespace plimsoll::client
