#pragma once

#include <string_view>

#include "base/bitmap.h"
#include "cli/explain_cluster.h"
#include "cli/explain_report.h"

namespace plimsoll::cli {

/// Nodes that one plugin refuses with the same reason.
struct RefusedNodes {
  std::string_view plugin;
  std::string_view reason;
  const Bitmap& which;  // by slot; not empty
};

/// Returns the node that is closest to accepting the awaited pod. Compares the distance of taints
/// or labels, the missing amount of a resource, or the first unsuitable device. If nothing can be
/// measured, returns the first node by name.
NearMiss FindNearest(const ExplainCluster& cluster, const RefusedNodes& refused,
                     const scheduler::Diagnosis& diagnosis);

}  // namespace plimsoll::cli
