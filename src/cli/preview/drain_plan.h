#pragma once

#include <vector>

#include "cli/preview/node_impact.h"

namespace plimsoll::cli {

/// Pods of nodes to drain.
struct DrainPlan {
  std::vector<ObjectPtr> evicted;         // by namespace and name
  std::vector<StayingPods> skipped;       // pods of DaemonSets, and mirror pods
  std::vector<ObjectPtr> unmanaged;       // among the evicted: pods that nobody creates again
  std::vector<ObjectPtr> with_empty_dir;  // among the evicted: pods that lose data
};
DrainPlan PlanDrain(const std::vector<ObjectPtr>& objects, const std::vector<ObjectPtr>& nodes);

/// Returns the impact of the plan. Budgets hold pods back; nothing else does.
Result<NodeImpact> ImpactOfDrain(const PreviewCluster& cluster, const std::vector<ObjectPtr>& nodes,
                                 const DrainPlan& plan);

}  // namespace plimsoll::cli
