#pragma once

#include <string_view>

#include "base/bitmap.h"
#include "cli/explain_cluster.h"
#include "cli/explain_report.h"

namespace plimsoll::cli {

/// Nodes that one plugin refuses with the same words.
struct RefusedNodes {
  std::string_view plugin;
  std::string_view reason;
  const Bitmap& which;  // over slots; at least one
};

/// The one of them that came nearest to taking the pod that the cluster awaits: by how far a taint
/// or a label is from what is asked for, by how much of a resource is missing, by the first device
/// that speaks against it. Where nothing can be measured, the first by name.
NearMiss FindNearest(const ExplainCluster& cluster, const RefusedNodes& refused,
                     const scheduler::Diagnosis& diagnosis);

}  // namespace plimsoll::cli
