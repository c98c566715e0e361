#include "scheduler/framework/block_maxima.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "base/assert.h"

namespace plimsoll::scheduler {

void BlockMaxima::Reset(std::size_t size) {
  totals_.clear();
  blocks_.clear();
  Grow(size);
}

void BlockMaxima::Assign(std::size_t size, const Bitmap& some,
                         std::span<const std::int64_t> totals) {
  Reset(size);
  some.ForEach([&](std::size_t i) { totals_[i] = static_cast<std::int32_t>(totals[i]); });
  for (std::size_t number = 0; number < blocks_.size(); ++number) Recount(blocks_[number], number);
}

void BlockMaxima::Grow(std::size_t size) {
  const std::size_t blocks = (size + kBlock - 1) / kBlock;
  totals_.resize(blocks * kBlock, kNone);
  blocks_.resize(blocks);
}

void BlockMaxima::Set(std::size_t i, std::int32_t total) {
  const std::int32_t old = std::exchange(totals_[i], total);
  if (old == total) return;
  Block& block = blocks_[i / kBlock];
  if (total > block.highest) {
    block = {total, 1};
    return;
  }
  if (total == block.highest) ++block.count;
  if (old == block.highest && --block.count == 0) Recount(block, i / kBlock);
}

void BlockMaxima::Recount(Block& block, std::size_t number) {
  const std::int32_t* const totals = totals_.data() + number * kBlock;
  std::int32_t highest = kNone;
  for (std::size_t i = 0; i < kBlock; ++i) highest = std::max(highest, totals[i]);
  std::uint32_t count = 0;
  if (highest != kNone) {
    for (std::size_t i = 0; i < kBlock; ++i) count += totals[i] == highest ? 1 : 0;
  }
  block = {highest, count};
}

std::size_t BlockMaxima::Pick(Random& random) const {
  std::int32_t highest = kNone;
  std::uint64_t ties = 0;
  for (const Block& block : blocks_) {
    if (block.highest < highest) continue;
    ties = (block.highest == highest ? ties : 0) + block.count;
    highest = block.highest;
  }
  PL_ASSERT(highest != kNone);
  std::uint64_t left = ties == 1 ? 0 : random.Below(ties);
  std::size_t number = 0;
  for (;; ++number) {
    if (blocks_[number].highest != highest) continue;
    if (left < blocks_[number].count) break;
    left -= blocks_[number].count;
  }
  for (std::size_t i = number * kBlock;; ++i) {
    if (totals_[i] == highest && left-- == 0) return i;
  }
}

std::size_t BlockMaxima::PickAmong(const Bitmap& some, Random& random) const {
  static constexpr std::size_t kWords = kBlock / Bitmap::kWordBits;
  const std::span<const std::uint64_t> words = some.words();
  // Calls visit(i) for each node of `some` in a block whose highest total is at least `floor`.
  const auto each = [&](const std::int32_t& floor, auto&& visit) {
    for (std::size_t w = 0; w < words.size(); ++w) {
      if (words[w] == 0 || blocks_[w / kWords].highest < floor) continue;
      for (std::uint64_t word = words[w]; word != 0; word &= word - 1) {
        visit(w * Bitmap::kWordBits + static_cast<std::size_t>(std::countr_zero(word)));
      }
    }
  };
  std::int32_t highest = kNone;
  std::uint64_t ties = 0;
  each(highest, [&](std::size_t i) {
    if (totals_[i] < highest) return;
    ties = (totals_[i] == highest ? ties : 0) + 1;
    highest = totals_[i];
  });
  PL_ASSERT(highest != kNone);
  std::uint64_t left = ties == 1 ? 0 : random.Below(ties);
  std::size_t chosen = 0;
  each(highest, [&](std::size_t i) {
    if (totals_[i] == highest && left-- == 0) chosen = i;
  });
  return chosen;
}

}  // namespace plimsoll::scheduler
