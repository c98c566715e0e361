#include "cel/arena.h"

#include <algorithm>

#include "cel/limits.h"

namespace plimsoll::cel {
namespace {

constexpr std::size_t kBlockBytesMax = 1u << 20;

}  // namespace

Arena::Arena(Arena&& other) noexcept
    : blocks_(std::move(other.blocks_)),
      block_(std::exchange(other.block_, 0)),
      owned_(std::move(other.owned_)),
      cursor_(std::exchange(other.cursor_, nullptr)),
      end_(std::exchange(other.end_, nullptr)),
      bytes_first_(other.bytes_first_),
      bytes_used_(std::exchange(other.bytes_used_, 0)),
      bytes_max_(other.bytes_max_) {}

Arena& Arena::operator=(Arena&& other) noexcept {
  if (this == &other) return *this;
  DestroyOwned();
  blocks_ = std::move(other.blocks_);
  block_ = std::exchange(other.block_, 0);
  owned_ = std::move(other.owned_);
  cursor_ = std::exchange(other.cursor_, nullptr);
  end_ = std::exchange(other.end_, nullptr);
  bytes_first_ = other.bytes_first_;
  bytes_used_ = std::exchange(other.bytes_used_, 0);
  bytes_max_ = other.bytes_max_;
  return *this;
}

void Arena::AddBlock(std::size_t bytes_min) {
  if (bytes_min > bytes_max_ || bytes_used_ > bytes_max_ - bytes_min) throw ArenaFull();
  while (block_ + 1 < blocks_.size()) {
    Use(block_ + 1);
    if (blocks_[block_].size >= bytes_min) return;
  }
  // Block sizes double, so that the number of blocks stays small.
  const std::size_t wished =
      blocks_.empty() ? bytes_first_ : std::min(blocks_.back().size * 2, kBlockBytesMax);
  const std::size_t size = std::max(bytes_min, wished);
  blocks_.push_back({std::make_unique_for_overwrite<std::byte[]>(size), size});
  Use(blocks_.size() - 1);
}

void Arena::ResetUsed() {
  DestroyOwned();
  std::size_t bytes = blocks_.front().size;
  std::size_t kept = 1;
  while (kept < blocks_.size() && bytes + blocks_[kept].size <= kArenaKeptBytesMax) {
    bytes += blocks_[kept++].size;
  }
  blocks_.resize(kept);
  Use(0);
  bytes_used_ = 0;
}

void Arena::DestroyOwned() {
  // In reverse order: an object may refer to those created before it.
  while (!owned_.empty()) {
    const Owned last = owned_.back();
    owned_.pop_back();
    last.destroy(last.object);
  }
}

}  // namespace plimsoll::cel
