#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/core_input.h"
#include "api/object.h"

/// What controllers ask of the world, and what they are told of it. Whoever carries out an action
/// hands its outcome back as an ActionFinished with the action's id, once; only events are written
/// without an answer.
namespace plimsoll::controller {

using ObjectPtr = std::shared_ptr<const api::Object>;
using api::ActionId;
using api::EventType;

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

/// An Event about the object. Has no outcome.
struct RecordEvent {
  ObjectPtr regarding;
  EventType type = EventType::Normal;
  std::string_view reason;
  std::string message;
};

using Action = std::variant<PatchObject, DeleteObject, RecordEvent>;
using Actions = std::vector<Action>;

using api::ActionFinished;
using api::ObjectChanged;
using api::Synced;
using InputEvent = api::CoreInput;

}  // namespace plimsoll::controller
