#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/object.h"
#include "base/result.h"

/// What controllers ask of the world, and what they are told of it. Whoever carries out an action
/// hands its outcome back as an ActionFinished with the action's id, once; only events are written
/// without an answer.
namespace plimsoll::controller {

using ObjectPtr = std::shared_ptr<const api::Object>;
using ActionId = std::uint64_t;

/// A JSON merge patch, which names the resourceVersion that it was made from.
struct PatchObject {
  ActionId id = 0;
  ObjectPtr object;
  std::string_view subresource;  // status, or empty
  std::string patch;
};

/// Deletes the object if it still has its uid. NotFound counts as done.
struct DeleteObject {
  ActionId id = 0;
  ObjectPtr object;
};

enum class EventType : std::uint8_t { Normal, Warning };

/// An Event about the object. Has no outcome.
struct RecordEvent {
  ObjectPtr regarding;
  EventType type = EventType::Normal;
  std::string_view reason;
  std::string message;
};

using Action = std::variant<PatchObject, DeleteObject, RecordEvent>;
using Actions = std::vector<Action>;

/// An informer's news: added (no old), changed, deleted (no new). Any kind; those that a controller
/// does not know are passed over.
struct ObjectChanged {
  ObjectPtr old_object;
  ObjectPtr new_object;
};

struct ActionFinished {
  ActionId id = 0;
  Status status;
};

/// Everything that there was at the start has been told. Nothing is done before.
struct Synced {};

using InputEvent = std::variant<ObjectChanged, ActionFinished, Synced>;

}  // namespace plimsoll::controller
