#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/core/taint.h"
#include "api/feature_gates.h"
#include "cli/explain/pending_eviction.h"
#include "cli/explain/pod_groups.h"
#include "cli/output/styled_text.h"
#include "codec/document.h"

namespace plimsoll::cli {

struct NodeTaint {
  const api::Taint* taint = nullptr;
  TaintTolerances tolerances;  // of all pods of the cluster
};

struct NodeResource {
  std::string name;
  std::string allocatable;
  std::string requested;
  std::string free;
};

struct PodOnNode {
  std::string name;  // namespace/name
  std::string phase;
  bool is_terminating = false;
  std::optional<PendingEviction> eviction;
};

/// Pods that the node refuses for the same reason.
struct RefusedPods {
  std::string plugin;
  std::string reason;
  std::vector<std::string> pods;
};

/// Answers of the node about pods that are not on it.
struct NodeAnswer {
  std::vector<std::string> accepted;
  std::vector<RefusedPods> refused;  // most pods first
};

/// Complete result for a node.
struct NodeExplanation {
  ObjectPtr node;
  bool is_unschedulable = false;
  std::vector<NodeTaint> taints;
  std::vector<NodeResource> resources;
  std::size_t pods_max = 0;  // allocatable pods
  std::vector<PodOnNode> pods;
  NodeAnswer waiting;        // pods without a node
  NodeAnswer elsewhere;      // pods on other nodes
  std::size_t unjudged = 0;  // pods beyond the limit of groups
};

/// Explains the node with the scheduler's filters. REQUIRES: the cluster knows the node.
Result<NodeExplanation> ExplainNode(const ObjectPtr& node, const std::vector<ObjectPtr>& objects,
                                    ClusterSnapshot& cluster, const api::FeatureGates& gates,
                                    Instant now);

/// Formats the explanation for people. `is_wide` shows complete lists.
StyledText ToText(const NodeExplanation& explanation, bool is_wide = false);
/// Returns the pods on the node, for -o name.
std::vector<std::string> NamesIn(const NodeExplanation& explanation);
/// Formats the explanation for programs.
codec::Value ToTree(const NodeExplanation& explanation, codec::Document& document);

}  // namespace plimsoll::cli
