#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "api/core_input.h"
#include "api/object.h"
#include "base/time.h"

/// Actions that node agents request, and events that they receive. Whoever performs an action must
/// report its outcome once, with the action's id: NodeRead for a ReadNode, VolumesRead for a
/// ReadVolumes, ActionFinished for all others. Only RecordEvent has no outcome. Actions on one
/// object must be performed in order.
namespace plimsoll::agent {

using ObjectPtr = std::shared_ptr<const api::Object>;
using api::ActionId;
using api::EventType;

/// Creates a Node or Lease from JSON. AlreadyExists counts as a failure.
struct CreateObject {
  ActionId id = 0;
  const api::KindDesc* kind = nullptr;
  std::string namespace_;  // empty for cluster-scoped kinds
  std::string name;        // same as in the JSON
  std::string json;
};

/// Server-side apply of the object or its status. Creates the object if it is missing. Forces
/// conflicts: takes over fields from other field managers.
struct ApplyObject {
  ActionId id = 0;
  const api::KindDesc* kind = nullptr;
  std::string namespace_;  // empty for cluster-scoped kinds
  std::string name;
  std::string_view subresource;
  std::string_view field_manager;
  std::string json;
};

/// A strategic merge patch of a pod's or a node's status. It contains the uid, so that it does not
/// change another object of that name.
struct PatchStatus {
  ActionId id = 0;
  ObjectPtr object;
  std::string patch;
};

/// The heartbeat: sets only the renewTime of the node's Lease. NotFound: there is no
/// Lease.
struct RenewLease {
  ActionId id = 0;
  std::string node;
  Instant at;
};

/// Deletes the pod with grace period 0, if it still has its uid. NotFound counts as success, and so
/// does Conflict for another uid: the intended pod is gone.
struct DeletePod {
  ActionId id = 0;
  ObjectPtr pod;
};

/// Reads the node from the server, not from a cache.
struct ReadNode {
  ActionId id = 0;
  std::string name;
};

/// Reads the PersistentVolumeClaims of the pod's volumes, and the PersistentVolumes bound to them.
struct ReadVolumes {
  ActionId id = 0;
  ObjectPtr pod;
};

/// Records an Event about the object, with the node's agent as the source. Has no outcome.
struct RecordEvent {
  ObjectPtr regarding;
  std::string field_path;  // such as spec.containers{web}; empty: the whole object
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

/// Outcome of a ReadNode.
struct NodeRead {
  ActionId id = 0;
  Result<ObjectPtr> node;
};

/// Outcome of a ReadVolumes: the result of `CollectVolumes` in agent/pod_volumes.h.
struct VolumesRead {
  ActionId id = 0;
  Result<std::vector<ObjectPtr>> volumes;
};

using InputEvent = std::variant<ObjectChanged, ActionFinished, Synced, NodeRead, VolumesRead>;

}  // namespace plimsoll::agent
