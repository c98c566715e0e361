#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "api/core_input.h"
#include "api/object.h"
#include "base/time.h"

/// What node agents ask of the world, and what they are told of it. Whoever carries out an action
/// hands its outcome back with the action's id, once: as NodeRead for a ReadNode, as VolumesRead
/// for a ReadVolumes, as ActionFinished for the rest; only events are written without an answer.
/// Actions about one object are carried out in order.
namespace plimsoll::agent {

using ObjectPtr = std::shared_ptr<const api::Object>;
using api::ActionId;
using api::EventType;

/// A new Node or Lease, as JSON. AlreadyExists is a failure like any other.
struct CreateObject {
  ActionId id = 0;
  const api::KindDesc* kind = nullptr;
  std::string namespace_;  // empty for kinds without
  std::string name;        // as it stands in the JSON
  std::string json;
};

/// Server-side apply: the object, or its status, is to be so, whether it was there or not. Fields
/// are taken over from whoever has them.
struct ApplyObject {
  ActionId id = 0;
  const api::KindDesc* kind = nullptr;
  std::string namespace_;  // empty for kinds without
  std::string name;
  std::string_view subresource;
  std::string_view field_manager;
  std::string json;
};

/// A strategic merge patch of a pod's or a node's status. It names the uid, so that it does not hit
/// another object of that name.
struct PatchStatus {
  ActionId id = 0;
  ObjectPtr object;
  std::string patch;
};

/// The heartbeat: sets the renewTime of the node's Lease, and nothing else. NotFound: there is
/// none.
struct RenewLease {
  ActionId id = 0;
  std::string node;
  Instant at;
};

/// Deletes the pod for good, without grace, if it still has its uid. NotFound counts as done, and
/// so does Conflict for another uid: the pod that was meant is gone.
struct DeletePod {
  ActionId id = 0;
  ObjectPtr pod;
};

/// Reads the node from the server, past all caches.
struct ReadNode {
  ActionId id = 0;
  std::string name;
};

/// Reads the claims of the pod's volumes, and the PersistentVolumes that they are bound to.
struct ReadVolumes {
  ActionId id = 0;
  ObjectPtr pod;
};

/// An Event about the object, told by a node's agent. Has no outcome.
struct RecordEvent {
  ObjectPtr regarding;
  std::string field_path;  // spec.containers{web}; empty: the object as a whole
  std::string host;        // the node
  EventType type = EventType::Normal;
  std::string reason;
  std::string message;
};

using Action = std::variant<CreateObject, ApplyObject, PatchStatus, RenewLease, DeletePod, ReadNode,
                            ReadVolumes, RecordEvent>;
using Actions = std::vector<Action>;

using api::ActionFinished;
using api::ObjectChanged;
using api::Synced;

/// The answer to a ReadNode.
struct NodeRead {
  ActionId id = 0;
  Result<ObjectPtr> node;
};

/// The answer to a ReadVolumes: what `CollectVolumes` in agent/pod_volumes.h returns.
struct VolumesRead {
  ActionId id = 0;
  Result<std::vector<ObjectPtr>> volumes;
};

using InputEvent = std::variant<ObjectChanged, ActionFinished, Synced, NodeRead, VolumesRead>;

}  // namespace plimsoll::agent
