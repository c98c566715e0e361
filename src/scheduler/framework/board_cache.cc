#include "scheduler/framework/board_cache.h"

#include <algorithm>

namespace plimsoll::scheduler {

BoardCache::BoardCache(ClusterState& cluster, const std::vector<EnabledPlugin>& plugins,
                       std::size_t bytes_max)
    : cluster_(cluster), plugins_(plugins), bytes_max_(bytes_max) {}

Board& BoardCache::Get(const PodUnderTest& pod, PluginTimes* times) {
  const ClassId id = pod.pod_class.id;
  if (id >= entries_.size()) entries_.resize(std::max<std::size_t>(id + 1, cluster_.class_limit()));
  Entry& entry = entries_[id];
  if (entry.board != nullptr && !entry.board->IsOf(pod.pod_class)) Drop(entry);
  if (entry.board == nullptr) {
    entry.board = std::make_unique<Board>(cluster_, plugins_, scratch_, pod.pod_class);
    ++size_;
  }
  entry.used = ++uses_;
  entry.board->CatchUp(pod, times);
  const std::size_t bytes = entry.board->MemoryBytes();
  bytes_ += bytes - entry.bytes;
  entry.bytes = bytes;
  if (bytes_ > bytes_max_ + cluster_.slot_limit() * kBytesPerNodeMax) DropOldest();
  return *entry.board;
}

void BoardCache::Forget(const PodClass& pod_class) {
  if (pod_class.id >= entries_.size() || entries_[pod_class.id].board == nullptr) return;
  Drop(entries_[pod_class.id]);
}

void BoardCache::Drop(Entry& entry) {
  bytes_ -= entry.bytes;
  --size_;
  entry = {};
}

/// Drops half of the boards at once. Otherwise a workload with one class too many would pay for a
/// search each time.
void BoardCache::DropOldest() {
  std::vector<std::uint64_t> uses;
  for (const Entry& entry : entries_) {
    if (entry.board != nullptr) uses.push_back(entry.used);
  }
  const auto middle = uses.begin() + static_cast<std::ptrdiff_t>(uses.size() / 2);
  std::ranges::nth_element(uses, middle);
  for (Entry& entry : entries_) {
    if (entry.board != nullptr && entry.used < *middle) Drop(entry);
  }
}

}  // namespace plimsoll::scheduler
