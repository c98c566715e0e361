#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/action.h"
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
  std::string field_path;  // such as spec.containers{web}
};

ObjectReference ReferenceTo(const api::ObjectRef& object);

/// Component that reports an event.
struct EventSource {
  std::string component;  // such as default-scheduler
  std::string host;
};

/// An event, with the fields that this client writes.
struct Event {
  ObjectReference regarding;
  EventType type = EventType::Normal;
  std::string reason;
  std::string message;
  EventSource source;
  std::string action = {};                      // for events.k8s.io: the action that was taken
  std::optional<ObjectReference> related = {};  // for events.k8s.io
  std::string name = {};                        // name of the Event object
  std::int32_t count = 1;
  Instant first{};
  Instant last{};

  std::string_view namespace_() const {
    return regarding.namespace_.empty() ? "default" : std::string_view(regarding.namespace_);
  }
};

/// An Event has one of two formats. A repeated event updates the Event in the same format, with a
/// strategic merge patch.
///
/// `core/v1`, with a count and the first and last time.
std::string CoreEventJson(const Event& event);
std::string CoreEventPatch(const Event& event);
/// `events.k8s.io/v1`, with a series once it is repeated.
std::string SeriesEventJson(const Event& event);
std::string SeriesEventPatch(const Event& event);

}  // namespace plimsoll::client
