#pragma once

#include <string_view>

#include "base/bitmap.h"
#include "cli/explain/cluster_snapshot.h"
#include "cli/explain/placement.h"

namespace plimsoll::cli {

/// Nodes that one plugin refuses with the same reason.
struct RefusedNodes {
  std::string_view plugin;
  std::string_view reason;
  const Bitmap& which;  // by slot; not empty
};

/// Returns the node that is closest to accepting the pending pod. Compares the distance of taints
/// or labels, the missing amount of a resource, or the first unsuitable device. If nothing can be
/// measured, returns the first node by name.
NearMiss FindNearestNode(const ClusterSnapshot& cluster, const RefusedNodes& refused,
                         const scheduler::Diagnosis& diagnosis);

}  // namespace plimsoll::cli
