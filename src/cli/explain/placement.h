#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/explain/cluster_snapshot.h"
#include "scheduler/framework/diagnosis.h"
#include "scheduler/framework/framework.h"

namespace plimsoll::cli {

/// One filter step from all nodes to the feasible ones.
struct FunnelStage {
  std::string plugin;
  std::string title;  // taints, resources, …
  std::size_t refused = 0;
  std::size_t left = 0;
};

/// The node that is closest to passing, and what it lacks.
struct NearMiss {
  std::string node;
  std::string text;  // empty if distances cannot be measured: the node is an example
};

/// Nodes that do not fit for the same reason. A node may have several reasons.
struct RefusalReason {
  std::string plugin;
  std::string text;  // upstream's text
  std::size_t nodes = 0;
  NearMiss nearest;
};

struct NodeScore {
  std::string node;
  std::int64_t total = 0;
  std::vector<std::pair<std::string, std::int64_t>> plugins;  // weighted scores
};

/// Result of preemption for a pod that fits on no node.
struct PreemptionPlan {
  std::string node;                  // empty: preemption does not help
  std::vector<std::string> victims;  // namespace/name
  std::string message;               // reason if it does not help
};

/// Tells which nodes of a cluster fit a pod, and why others do not.
struct Placement {
  std::size_t nodes = 0;
  std::string gated;  // why the pod is not tried yet; the rest applies later
  std::string error;  // error of a plugin
  std::vector<FunnelStage> funnel;
  std::string message;  // of the scheduler's event; empty if a node fits
  std::vector<RefusalReason> reasons;
  std::vector<NodeScore> fits;  // best first, then by name
  std::optional<PreemptionPlan> preemption;

  /// Returns the rank from 1; 0 if the node does not fit.
  std::size_t RankOf(std::string_view node) const;
};

/// Explains the pending pod. Changes only the cluster's caches.
Placement ExplainPlacement(ClusterSnapshot& cluster);

/// Results of one node: every filter that refuses the pod, in order.
struct NodeVerdicts {
  std::string node;
  bool is_excluded = false;  // PreFilter excluded the node
  std::vector<scheduler::Verdict> refusals;

  bool accepts() const { return !is_excluded && refusals.empty(); }
};
/// Returns the results by node name; those of all nodes if `only` is empty.
std::vector<NodeVerdicts> JudgeNodes(ClusterSnapshot& cluster, std::string_view only);

/// Returns `taints` for TaintToleration; the plugin's name if it has no title.
std::string_view TitleOf(std::string_view plugin);

}  // namespace plimsoll::cli
