#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/explain/cluster_snapshot.h"
#include "cli/explain/pending_eviction.h"
#include "cli/explain/placement.h"
#include "match/diagnosis.h"

namespace plimsoll::cli {

/// Details of a node: all refusing filters, and its taints and labels compared with the pod.
struct NodeDetail {
  NodeVerdicts opinion;
  match::Diagnosis diagnosis;
};

/// State of a pod that has a node.
struct BoundTo {
  std::string node;
  std::string since;                      // empty if unknown
  std::optional<NodeVerdicts> again;      // current result of the node; unset: the node is gone
  std::optional<PendingEviction> leaves;  // pending eviction because of taints
};

/// Complete result for a pod.
struct PodAnswer {
  ObjectPtr pod;
  std::string profile;          // profile that would schedule it
  bool is_foreign = false;      // the pod names another scheduler
  bool is_done = false;         // it has finished; the rest is not set
  bool is_terminating = false;  // it is terminating
  std::optional<BoundTo> bound;
  PodExplanation placement;       // result if it were scheduled now
  std::vector<NodeDetail> nodes;  // requested details
};

/// Formats the answer for people.
std::string ToText(const PodAnswer& answer);
/// Formats the answer for programs.
std::string ToJson(const PodAnswer& answer);

}  // namespace plimsoll::cli
