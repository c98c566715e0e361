#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/board.h"

namespace plimsoll::scheduler {

/// Boards of a profile, by class. The least recently used ones are dropped when all together take
/// too much memory.
class BoardCache {
 public:
  /// Memory limit of all boards: a constant plus an amount per node.
  static constexpr std::size_t kBytesMax = std::size_t{128} << 20;
  static constexpr std::size_t kBytesPerNodeMax = 256;

  /// REQUIRES: the arguments outlive the cache.
  BoardCache(ClusterState& cluster, const std::vector<EnabledPlugin>& plugins,
             std::size_t bytes_max = kBytesMax);

  /// Returns the up-to-date board of the pod's class. Valid until the next call.
  Board& Get(const PodUnderTest& pod, PluginTimes* times = nullptr);

  /// Drops the board of the class, if there is one.
  void Forget(const PodClass& pod_class);

  std::size_t size() const { return size_; }
  std::size_t MemoryBytes() const { return bytes_; }

 private:
  struct Entry {
    std::unique_ptr<Board> board;
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
