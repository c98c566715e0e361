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

/// Actions that controllers request, and events that they receive. The runner reports the outcome
/// of each action once, as an ActionFinished with the action's id. Only RecordEvent has no outcome.
/// Actions on one object are executed in order.
namespace plimsoll::controller {

using ObjectPtr = std::shared_ptr<const api::Object>;
using api::ActionId;
using api::EventType;

/// Creates an object from JSON. If it exists, the outcome is the error AlreadyExists.
struct CreateObject {
  ActionId id = 0;
  const api::KindDesc* kind = nullptr;
  std::string namespace_;  // empty for cluster-scoped kinds
  std::string json;
};

/// Apply is a forced server-side apply: it takes over fields from other field managers.
enum class PatchForm : std::uint8_t { Merge, StrategicMerge, Apply };

/// Patches an object. To detect a conflict with newer versions, the patch contains the
/// resourceVersion; to detect another object of the same name, the uid.
struct PatchObject {
  ActionId id = 0;
  ObjectPtr object;
  std::string_view subresource;  // status, or empty
  std::string patch;
  PatchForm form = PatchForm::Merge;
  std::string_view field_manager = {};  // Apply needs one
};

/// Replaces the whole object, for subresources that cannot be patched. The outcome is Conflict if
/// the stored object has changed since `object` was read.
struct ReplaceObject {
  ActionId id = 0;
  ObjectPtr object;
  std::string_view subresource;  // finalize
  std::string json;
};

/// Deletes all objects of a kind in a namespace (deletecollection).
struct DeleteCollection {
  ActionId id = 0;
  const api::KindDesc* kind = nullptr;
  std::string namespace_;
};

/// Deletes the object if it still has the same uid. NotFound counts as success. So does Conflict
/// because of another uid: the intended object is gone.
struct DeleteObject {
  ActionId id = 0;
  ObjectPtr object;
  std::optional<std::int64_t> grace_period_seconds = {};  // unset: the object's own
  std::string_view propagation_policy = {};               // empty: the kind's default
};

/// Reads an object from the API server, because watches of different kinds are not ordered. The
/// outcome is NotFound if the object is missing or has another uid. It is Conflict if
/// `resource_version` is given and the stored version differs.
struct ConfirmObject {
  ActionId id = 0;
  const api::KindDesc* kind = nullptr;
  std::string namespace_;
  std::string name;
  std::string uid;
  std::string resource_version = {};
};

/// Sets the pod's DisruptionTarget condition, then deletes the pod like DeleteObject.
struct EvictPod {
  ActionId id = 0;
  ObjectPtr pod;
  std::string_view reason;  // of the DisruptionTarget condition
  std::string message;
};

/// Records an Event about the object. Has no outcome.
struct RecordEvent {
  ObjectPtr regarding;
  EventType type = EventType::Normal;
  std::string_view reason;
  std::string message;
  std::string_view component = {};  // reporting component; set by ControllerSet
};

using Action = std::variant<CreateObject, PatchObject, ReplaceObject, DeleteObject,
                            DeleteCollection, ConfirmObject, EvictPod, RecordEvent>;
using Actions = std::vector<Action>;

using api::ActionFinished;
using api::ObjectChanged;
using api::Synced;
using InputEvent = api::CoreInput;

}  // namespace plimsoll::controller
