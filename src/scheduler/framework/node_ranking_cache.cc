#include "scheduler/framework/node_ranking_cache.h"

#include <algorithm>

#include "scheduler/limits.h"

namespace plimsoll::scheduler {

NodeRankingCache::NodeRankingCache(ClusterState& cluster, const std::vector<EnabledPlugin>& plugins,
                                   std::size_t bytes_max)
    : cluster_(cluster), plugins_(plugins), bytes_max_(bytes_max) {}

NodeRanking& NodeRankingCache::Get(const PodUnderTest& pod, PluginTimes* times) {
  const ClassId id = pod.pod_class.id;
  if (id >= entries_.size()) entries_.resize(std::max<std::size_t>(id + 1, cluster_.class_limit()));
  Entry& entry = entries_[id];
  if (entry.ranking != nullptr && !entry.ranking->IsOf(pod.pod_class)) Drop(entry);
  if (entry.ranking == nullptr) {
    entry.ranking = std::make_unique<NodeRanking>(cluster_, plugins_, scratch_, pod.pod_class);
    ++size_;
  }
  entry.used = ++uses_;
  entry.ranking->CatchUp(pod, times);
  const std::size_t bytes = entry.ranking->MemoryBytes();
  bytes_ += bytes - entry.bytes;
  entry.bytes = bytes;
  if (bytes_ > bytes_max_ + cluster_.slot_limit() * kRankingBytesPerNodeMax) DropOldest();
  return *entry.ranking;
}

void NodeRankingCache::Forget(const PodClass& pod_class) {
  if (pod_class.id >= entries_.size() || entries_[pod_class.id].ranking == nullptr) return;
  Drop(entries_[pod_class.id]);
}

void NodeRankingCache::Drop(Entry& entry) {
  bytes_ -= entry.bytes;
  --size_;
  entry = {};
}

/// Drops half of the rankings at once. Otherwise a workload with one class too many would pay for a
/// search each time.
void NodeRankingCache::DropOldest() {
  std::vector<std::uint64_t> uses;
  for (const Entry& entry : entries_) {
    if (entry.ranking != nullptr) uses.push_back(entry.used);
  }
  const auto middle = uses.begin() + static_cast<std::ptrdiff_t>(uses.size() / 2);
  std::ranges::nth_element(uses, middle);
  for (Entry& entry : entries_) {
    if (entry.ranking != nullptr && entry.used < *middle) Drop(entry);
  }
}

}  // namespace plimsoll::scheduler
