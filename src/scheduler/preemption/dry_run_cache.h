#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "scheduler/cluster/cluster_state.h"
#include "scheduler/preemption/candidate.h"

namespace plimsoll::scheduler {

/// Cached dry runs for pods of one class, valid while the node does not change. Usable only if no
/// filter depends on other nodes.
class DryRunCache {
 public:
  /// Drops outdated entries. Must be called before Find.
  void CatchUp(const ClusterState& cluster, const PodClass& pod_class,
               std::uint64_t budgets_version);
  /// Returns null if the node is not cached.
  const DryRun* Find(NodeSlot slot) const { return nodes_[slot].get(); }
  const DryRun* Store(NodeSlot slot, DryRun dry_run);

 private:
  std::uint64_t class_serial_ = 0;
  std::uint64_t budgets_version_ = 0;
  Journal::Position seen_ = 0;
  std::vector<std::unique_ptr<const DryRun>> nodes_;  // indexed by slot
};

}  // namespace plimsoll::scheduler
