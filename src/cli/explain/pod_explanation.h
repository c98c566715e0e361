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
  NodeVerdicts verdicts;
  match::Diagnosis diagnosis;
};

/// State of a pod that has a node.
struct Binding {
  std::string node;
  std::string since;                        // empty if unknown
  std::optional<NodeVerdicts> verdicts;     // current result of the node; unset: the node is gone
  std::optional<PendingEviction> eviction;  // pending eviction because of taints
};

/// Complete result for a pod.
struct PodExplanation {
  ObjectPtr pod;
  std::string profile;                 // profile that would schedule it
  bool names_other_scheduler = false;  // the pod names another scheduler
  bool is_terminal = false;            // Succeeded or Failed; the rest is not set
  bool is_terminating = false;         // it is terminating
  std::optional<Binding> bound;
  Placement placement;            // result if it were scheduled now
  std::vector<NodeDetail> nodes;  // requested details
};

/// Formats the explanation for people.
std::string ToText(const PodExplanation& explanation);
/// Formats the explanation for programs.
std::string ToJson(const PodExplanation& explanation);

}  // namespace plimsoll::cli
