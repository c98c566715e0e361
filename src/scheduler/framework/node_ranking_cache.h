#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/node_ranking.h"
#include "scheduler/limits.h"

namespace plimsoll::scheduler {

/// Rankings of a profile, by class. The least recently used ones are dropped when all together take
/// too much memory.
class NodeRankingCache {
 public:
  /// REQUIRES: the arguments outlive the cache.
  NodeRankingCache(ClusterState& cluster, const std::vector<EnabledPlugin>& plugins,
                   std::size_t bytes_max = kRankingBytesMax);

  /// Returns the up-to-date ranking of the pod's class. Valid until the next call.
  NodeRanking& Get(const PodUnderTest& pod, PluginTimes* times = nullptr);

  /// Drops the ranking of the class, if there is one.
  void Forget(const PodClass& pod_class);

  std::size_t size() const { return size_; }
  std::size_t MemoryBytes() const { return bytes_; }

 private:
  struct Entry {
    std::unique_ptr<NodeRanking> ranking;
    std::size_t bytes = 0;
    std::uint64_t used = 0;
  };

  void DropOldest();
  void Drop(Entry& entry);

  ClusterState& cluster_;
  const std::vector<EnabledPlugin>& plugins_;
  std::size_t bytes_max_;
  std::vector<Entry> entries_;  // indexed by ClassId
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;
  std::uint64_t uses_ = 0;
  std::vector<std::int64_t> scratch_;
};

}  // namespace plimsoll::scheduler
