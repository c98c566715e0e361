#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "scheduler/cluster/cluster_state.h"
#include "scheduler/preemption/candidate.h"

namespace plimsoll::scheduler {

/// What was found out about nodes for pods of one class, for as long as nothing changes there. Of
/// use when no filter looks beyond the node.
class KnownNodes {
 public:
  /// Forgets what is old. To be called before the nodes are asked about.
  void CatchUp(const ClusterState& cluster, const PodClass& pod_class,
               std::uint64_t budgets_version);
  /// Null when it has to be found out.
  const DryRun* Find(NodeSlot slot) const { return nodes_[slot].get(); }
  const DryRun* Keep(NodeSlot slot, DryRun dry_run);

 private:
  std::uint64_t class_serial_ = 0;
  std::uint64_t budgets_version_ = 0;
  Journal::Position seen_ = 0;
  std::vector<std::unique_ptr<const DryRun>> nodes_;  // by slot
};

}  // namespace plimsoll::scheduler
