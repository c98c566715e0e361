#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/explain_cluster.h"
#include "cli/explain_eviction.h"
#include "cli/explain_report.h"
#include "match/diagnosis.h"

namespace plimsoll::cli {

/// A node in full: what every filter says, and its taints and labels against what the pod asks for.
struct NodeDetail {
  NodeOpinion opinion;
  match::Diagnosis diagnosis;
};

/// Of a pod that has a node.
struct BoundTo {
  std::string node;
  std::string since;                      // empty when nobody wrote it
  std::optional<NodeOpinion> again;       // what the node says now; unset: it is gone
  std::optional<PendingEviction> leaves;  // because of taints
};

/// All that is said about a pod.
struct PodAnswer {
  ObjectPtr pod;
  std::string profile;      // that would place it
  bool is_foreign = false;  // the pod names a scheduler that this is not
  bool is_done = false;     // it has ended, and the rest is not set
  bool is_leaving = false;  // it is being deleted
  std::optional<BoundTo> bound;
  PodExplanation placement;       // were it placed now
  std::vector<NodeDetail> nodes;  // those that were asked for
};

/// As people read it.
std::string ToText(const PodAnswer& answer);
/// The same for programs.
std::string ToJson(const PodAnswer& answer);

}  // namespace plimsoll::cli
