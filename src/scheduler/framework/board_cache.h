#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/board.h"

namespace plimsoll::scheduler {

/// The boards of a profile, by class. Those that were not asked for the longest time go when all
/// together take too much memory.
class BoardCache {
 public:
  /// What all boards may take: so much, and so much more for every node.
  static constexpr std::size_t kBytesMax = std::size_t{128} << 20;
  static constexpr std::size_t kBytesPerNodeMax = 256;

  /// What it refers to must outlive it.
  BoardCache(ClusterState& cluster, const std::vector<EnabledPlugin>& plugins,
             std::size_t bytes_max = kBytesMax);

  /// The board of the pod's class, up to date. Good until the next call.
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
  std::vector<Entry> entries_;  // by ClassId
  std::size_t size_ = 0;
  std::size_t bytes_ = 0;
  std::uint64_t uses_ = 0;
  std::vector<std::int64_t> scratch_;
};

}  // namespace plimsoll::scheduler
