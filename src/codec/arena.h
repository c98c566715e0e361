#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <type_traits>
#include <vector>

#include "base/assert.h"

namespace plimsoll::codec {

/// Memory that is allocated piece by piece and freed all at once. No destructor runs, so only
/// trivially destructible types may be stored. For one thread.
class Arena {
 public:
  /// Allocates a first block of `bytes_first`. With 0, the first block is allocated on first use.
  explicit Arena(std::size_t bytes_first = 0) {
    if (bytes_first > 0) AddBlock(bytes_first);
  }

  /// Returns uninitialized memory.
  template <class T>
  T* Allocate(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= alignof(std::max_align_t));
    const std::size_t misfit = reinterpret_cast<std::uintptr_t>(cursor_) % alignof(T);
    const std::size_t padding = misfit == 0 ? 0 : alignof(T) - misfit;
    const std::size_t bytes = count * sizeof(T);
    if (padding + bytes > static_cast<std::size_t>(end_ - cursor_)) [[unlikely]] {
      AddBlock(bytes);
      return Allocate<T>(count);
    }
    T* const place = reinterpret_cast<T*>(cursor_ + padding);
    cursor_ += padding + bytes;
    return place;
  }

  /// Returns a larger array with a copy of the old elements, and updates `capacity`.
  template <class T>
  T* Grow(const T* old, std::uint32_t size, std::uint32_t& capacity) {
    PL_ASSERT(capacity <= UINT32_MAX / 2);
    capacity = std::max(4u, capacity * 2);
    T* const place = Allocate<T>(capacity);
    std::uninitialized_copy_n(old, size, place);
    return place;
  }

  /// Bytes allocated from the system.
  std::size_t bytes() const { return bytes_; }

 private:
  static constexpr std::size_t kBlockBytesMin = 1024;
  static constexpr std::size_t kBlockBytesMax = 1u << 20;

  void AddBlock(std::size_t bytes_min) {
    // Each block doubles the total, so that large trees have few blocks.
    const std::size_t bytes =
        std::max(bytes_min, std::clamp(bytes_, kBlockBytesMin, kBlockBytesMax));
    blocks_.push_back(std::make_unique_for_overwrite<std::byte[]>(bytes));
    cursor_ = blocks_.back().get();
    end_ = cursor_ + bytes;
    bytes_ += bytes;
  }

  std::vector<std::unique_ptr<std::byte[]>> blocks_;
  std::byte* cursor_ = nullptr;
  std::byte* end_ = nullptr;
  std::size_t bytes_ = 0;
};

}  // namespace plimsoll::codec
