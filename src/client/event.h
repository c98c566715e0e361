#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/core_input.h"
#include "api/object.h"
#include "base/time.h"

namespace plimsoll::client {

using api::EventType;

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

/// What happened, as far as it is written here.
struct Event {
  ObjectReference regarding;
  EventType type = EventType::Normal;
  std::string reason;
  std::string message;
  EventSource source;
  std::string action = {};                      // of events.k8s.io: what was being done
  std::optional<ObjectReference> related = {};  // likewise
  std::string name = {};                        // of the Event itself
  std::int32_t count = 1;
  Instant first{};
  Instant last{};

  std::string_view namespace_() const {
    return regarding.namespace_.empty() ? "default" : std::string_view(regarding.namespace_);
  }
};

/// An event has one of two forms, and what changes when it happens again is told in the same one,
/// as a strategic merge patch.
///
/// `core/v1`, with a count and the first and last time.
std::string CoreEventJson(const Event& event);
std::string CoreEventPatch(const Event& event);
/// `events.k8s.io/v1`, with a series once it has happened again.
std::string SeriesEventJson(const Event& event);
std::string SeriesEventPatch(const Event& event);

}  // namespace plimsoll::client
