#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "api/core_input.h"
#include "api/object.h"

/// What controllers ask of the world, and what they are told of it. Whoever carries out an action
/// hands its outcome back as an ActionFinished with the action's id, once; only events are written
/// without an answer. Actions about one object are carried out in order.
namespace plimsoll::controller {

using ObjectPtr = std::shared_ptr<const api::Object>;
using api::ActionId;
using api::EventType;

/// A new object, as JSON. AlreadyExists is a failure like any other.
struct CreateObject {
  ActionId id = 0;
  const api::KindDesc* kind = nullptr;
  std::string namespace_;  // empty for kinds without
  std::string json;
};

/// Apply is server-side apply, which takes fields over from whoever has them.
enum class PatchForm : std::uint8_t { Merge, StrategicMerge, Apply };

/// A patch of the object. Where it must not be made from an old version, it names the
/// resourceVersion; where it must not hit another object of that name, the uid.
struct PatchObject {
  ActionId id = 0;
  ObjectPtr object;
  std::string_view subresource;  // status, or empty
  std::string patch;
  PatchForm form = PatchForm::Merge;
  std::string_view field_manager = {};  // Apply needs one
};

/// The whole object instead of what is stored, for sub-resources that take no patch. Conflict when
/// that has changed since.
struct ReplaceObject {
  ActionId id = 0;
  ObjectPtr object;
  std::string_view subresource;  // finalize
  std::string json;
};

/// Deletes all objects of a kind in a namespace, as the server knows them.
struct DeleteCollection {
  ActionId id = 0;
  const api::KindDesc* kind = nullptr;
  std::string namespace_;
};

/// Deletes the object if it still has its uid. NotFound counts as done, and so does Conflict for
/// another uid: the object that was meant is gone.
struct DeleteObject {
  ActionId id = 0;
  ObjectPtr object;
  std::optional<std::int64_t> grace_period_seconds = {};  // unset: the object's own
  std::string_view propagation_policy = {};               // empty: the kind's default
};

/// Asks the server whether an object is there, for what has not been told of: news of one kind may
/// be behind news of another. NotFound when it is not, or when its uid is another; Conflict when a
/// version is given and the server has another.
struct ConfirmObject {
  ActionId id = 0;
  const api::KindDesc* kind = nullptr;
  std::string namespace_;
  std::string name;
  std::string uid;
  std::string resource_version = {};
};

/// Tells why the pod goes, as its DisruptionTarget condition, and deletes it. As DeleteObject.
struct EvictPod {
  ActionId id = 0;
  ObjectPtr pod;
  std::string_view reason;  // of the condition
  std::string message;
};

/// An Event about the object. Has no outcome.
struct RecordEvent {
  ObjectPtr regarding;
  EventType type = EventType::Normal;
  std::string_view reason;
  std::string message;
  std::string_view component = {};  // who tells; ControllerSet fills it in
};

using Action = std::variant<CreateObject, PatchObject, ReplaceObject, DeleteObject,
                            DeleteCollection, ConfirmObject, EvictPod, RecordEvent>;
using Actions = std::vector<Action>;

using api::ActionFinished;
using api::ObjectChanged;
using api::Synced;
using InputEvent = api::CoreInput;

}  // namespace plimsoll::controller
