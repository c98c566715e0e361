#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/explain_cluster.h"
#include "scheduler/framework/diagnosis.h"
#include "scheduler/framework/framework.h"

namespace plimsoll::cli {

/// One step from all nodes to those that can take the pod.
struct FunnelStage {
  std::string plugin;
  std::string title;  // taints, resources, …
  std::size_t refused = 0;
  std::size_t left = 0;
};

/// The node that came nearest to passing, and what it lacks.
struct NearMiss {
  std::string node;
  std::string text;  // empty where there is no nearer and farther: then it is an example
};

/// Nodes that are refused with the same words. A node may be refused for several reasons.
struct ExplainedReason {
  std::string plugin;
  std::string text;  // upstream's
  std::size_t nodes = 0;
  NearMiss nearest;
};

struct NodeScore {
  std::string node;
  std::int64_t total = 0;
  std::vector<std::pair<std::string, std::int64_t>> plugins;  // weighted
};

/// What preemption would do for a pod that fits nowhere.
struct PreemptionPlan {
  std::string node;                  // empty: nothing
  std::vector<std::string> victims;  // namespace/name
  std::string message;               // then why
};

/// Whether a cluster would take a pod, and why not.
struct PodExplanation {
  std::size_t nodes = 0;
  std::string gated;  // why nobody tries it yet; the rest holds for later
  std::string error;  // why a plugin could not tell
  std::vector<FunnelStage> funnel;
  std::string message;  // of the event that the scheduler would write; empty when a node fits
  std::vector<ExplainedReason> reasons;
  std::vector<NodeScore> fits;  // the best first, then by name
  std::optional<PreemptionPlan> preemption;

  /// From 1; 0 when the node does not fit.
  std::size_t RankOf(std::string_view node) const;
};

/// About the pod that the cluster awaits. Nothing is changed but what the cluster keeps for itself.
PodExplanation Explain(ExplainCluster& cluster);

/// What one node says of the pod: every filter that refuses it, in their order.
struct NodeOpinion {
  std::string node;
  bool is_left_out = false;  // by what the pod says of itself; no filter is asked
  std::vector<scheduler::Verdict> refusals;

  bool accepts() const { return !is_left_out && refusals.empty(); }
};
/// By name; of all nodes when `only` is empty.
std::vector<NodeOpinion> AskNodes(ExplainCluster& cluster, std::string_view only);

/// `taints` for TaintToleration; the name itself for a plugin of which nothing is known.
std::string_view TitleOf(std::string_view plugin);

}  // namespace plimsoll::cli
