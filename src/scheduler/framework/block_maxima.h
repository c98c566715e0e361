#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bitmap.h"
#include "base/random.h"

namespace plimsoll::scheduler {

/// One total per node. Finds the highest without visiting every node: each block of nodes stores
/// its highest total and the number of nodes that have it.
class BlockMaxima {
 public:
  static constexpr std::int32_t kNone = -1;  // total of a node that must not be chosen

  /// Sets all totals to kNone.
  void Reset(std::size_t size);
  /// Sets the totals of `some` from `totals`, and all others to kNone.
  void Assign(std::size_t size, const Bitmap& some, std::span<const std::int64_t> totals);
  /// Adds nodes with total kNone.
  void Grow(std::size_t size);

  std::int32_t Get(std::size_t i) const { return totals_[i]; }
  /// REQUIRES: `total` is kNone or not negative.
  void Set(std::size_t i, std::int32_t total);

  /// Returns a random node among those with the highest total. REQUIRES: not all are kNone.
  std::size_t Pick(Random& random) const;
  /// Same, limited to `some`. REQUIRES: `some` is not empty and none of it has kNone.
  std::size_t PickAmong(const Bitmap& some, Random& random) const;

  std::size_t MemoryBytes() const {
    return totals_.capacity() * sizeof(totals_[0]) + blocks_.capacity() * sizeof(blocks_[0]);
  }

 private:
  static constexpr std::size_t kBlock = 256;

  struct Block {
    std::int32_t highest = kNone;
    std::uint32_t count = 0;  // nodes with the highest total
  };

  void Recount(Block& block, std::size_t number);

  std::vector<std::int32_t> totals_;  // padded to whole blocks
  std::vector<Block> blocks_;
};

}  // namespace plimsoll::scheduler
