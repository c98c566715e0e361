#include "scheduler/preemption/dry_run_cache.h"

namespace plimsoll::scheduler {

void DryRunCache::CatchUp(const ClusterState& cluster, const PodClass& pod_class,
                          std::uint64_t budgets_version) {
  const auto changes = cluster.journal().Since(seen_);
  const bool is_same = class_serial_ == pod_class.serial && budgets_version_ == budgets_version;
  if (!is_same || !changes) nodes_.clear();
  nodes_.resize(cluster.slot_limit());
  if (is_same && changes) {
    for (const JournalEntry& entry : *changes) nodes_[entry.slot].reset();
  }
  class_serial_ = pod_class.serial;
  budgets_version_ = budgets_version;
  seen_ = cluster.journal().end();
}

const DryRun* DryRunCache::Store(NodeSlot slot, DryRun dry_run) {
  nodes_[slot] = std::make_unique<const DryRun>(std::move(dry_run));
  return nodes_[slot].get();
}

}  // namespace plimsoll::scheduler
