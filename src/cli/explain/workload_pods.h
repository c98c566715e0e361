#pragma once

#include <optional>
#include <vector>

#include "cli/explain/cluster_snapshot.h"

namespace plimsoll::cli {

/// Returns true if `owner` is the controller in the object's ownerReferences. An owner from a file
/// has no uid, so its kind and name count.
bool IsControlledBy(const api::Object& object, const api::Object& owner);

/// Returns the pods of the workload, sorted by name: those that it controls, and for a Deployment
/// those of its ReplicaSets.
std::vector<ObjectPtr> PodsOfWorkload(const api::Object& workload,
                                      const std::vector<ObjectPtr>& objects);

/// Returns the number of pods that the workload wants to have now; nullopt for a DaemonSet, which
/// wants one per suitable node. A Job counts neither pods that have succeeded nor completions that
/// it does not need; a suspended one wants none.
std::optional<std::size_t> DesiredPods(const api::Object& workload,
                                       const std::vector<ObjectPtr>& pods);

/// Returns the ReplicaSet with the current template of a Deployment, or null.
ObjectPtr CurrentReplicaSet(const api::Object& deployment, const std::vector<ObjectPtr>& objects);

}  // namespace plimsoll::cli
