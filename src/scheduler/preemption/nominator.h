#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "api/action.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/outcome.h"
#include "scheduler/inflight_actions.h"

namespace plimsoll::scheduler {

/// Keeps the nominations of pending pods in the cluster state. They come from PostFilter, and from
/// status.nominatedNodeName of pods.
class Nominator {
 public:
  /// REQUIRES: the arguments outlive this object.
  Nominator(ClusterState& cluster, InflightActions& inflight)
      : cluster_(cluster), inflight_(inflight) {}

  /// Applies PostFilter's decision about the pod, and clears the nominations of the pods that lose
  /// theirs. Returns the pod's new nominatedNodeName, or nullopt if it stays.
  std::optional<std::string> Apply(PodId pod, const PostFilterOutcome& outcome,
                                   const api::Turn& turn);

  /// Applies nominatedNodeName of a pod whose object had the value `before`. Returns true if the
  /// pod lost a nomination, so that other pods may fit on that node. If the value has not changed,
  /// the scheduler's own nomination stays until the server has stored it.
  bool OnPodUpdated(PodId pod, std::string_view before);
  /// Applies the nominations to a node that was unknown until now.
  void OnNodeAdded(NodeSlot node);
  /// Drops what is remembered about a pod that is bound or deleted.
  void Forget(PodId pod) { to_missing_nodes_.erase(pod); }

 private:
  ClusterState& cluster_;
  InflightActions& inflight_;
  std::set<PodId> to_missing_nodes_;  // pods that are nominated to unknown nodes
};

}  // namespace plimsoll::scheduler
