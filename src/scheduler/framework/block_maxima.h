#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/bitmap.h"
#include "base/random.h"

namespace plimsoll::scheduler {

/// One total per node, of which the highest are found without looking at each: every block of
/// nodes keeps its highest total and how many have it.
class BlockMaxima {
 public:
  static constexpr std::int32_t kNone = -1;  // of what is not to be chosen

  /// All become kNone.
  void Reset(std::size_t size);
  /// Those of `some` get what is in `totals`, all others kNone.
  void Assign(std::size_t size, const Bitmap& some, std::span<const std::int64_t> totals);
  /// New ones are kNone.
  void Grow(std::size_t size);

  std::int32_t Get(std::size_t i) const { return totals_[i]; }
  /// `total` is not negative, or kNone.
  void Set(std::size_t i, std::int32_t total);

  /// One of those with the highest total, each as likely. There must be one that is not kNone.
  std::size_t Pick(Random& random) const;
  /// The same among `some`, of which there must be one, and none with kNone.
  std::size_t PickAmong(const Bitmap& some, Random& random) const;

  std::size_t MemoryBytes() const {
    return totals_.capacity() * sizeof(totals_[0]) + blocks_.capacity() * sizeof(blocks_[0]);
  }

 private:
  static constexpr std::size_t kBlock = 256;

  struct Block {
    std::int32_t highest = kNone;
    std::uint32_t count = 0;  // with the highest
  };

  void Recount(Block& block, std::size_t number);

  std::vector<std::int32_t> totals_;  // whole blocks
  std::vector<Block> blocks_;
};

}  // namespace plimsoll::scheduler
