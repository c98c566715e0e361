#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/explain/cluster_snapshot.h"
#include "cli/explain/pending_eviction.h"
#include "cli/explain/placement.h"
#include "cli/output/styled_text.h"
#include "codec/document.h"
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

/// Formats the explanation for people. `is_wide`: shows every node that fits, not only the best.
StyledText ToText(const PodExplanation& explanation, bool is_wide = false);
/// Returns the explanation for programs.
codec::Value ToTree(const PodExplanation& explanation, codec::Document& document);

}  // namespace plimsoll::cli
