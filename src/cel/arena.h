#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace plimsoll::cel {

struct ArenaFull : std::bad_alloc {
  const char* what() const noexcept override { return "arena full"; }
};

/// Bump allocator that frees all memory at once. Reset keeps the first blocks, so that a reused
/// arena rarely asks the system for memory. Not thread-safe.
class Arena {
 public:
  explicit Arena(std::size_t bytes_first = 4096) : bytes_first_(bytes_first) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  Arena(Arena&& other) noexcept;
  Arena& operator=(Arena&& other) noexcept;
  ~Arena() { DestroyOwned(); }

  /// Returns uninitialized memory. No destructors run; use Own for types that need one.
  template <class T>
  T* Allocate(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= alignof(std::max_align_t));
    return static_cast<T*>(AllocateBytes(count * sizeof(T), alignof(T)));
  }

  /// Constructs a T that lives until Reset or the end of the arena, and is destroyed then.
  template <class T, class... Arguments>
  T* Own(Arguments&&... arguments) {
    T* const made =
        new (AllocateBytes(sizeof(T), alignof(T))) T(std::forward<Arguments>(arguments)...);
    if constexpr (!std::is_trivially_destructible_v<T>) {
      owned_.push_back({made, [](void* one) { static_cast<T*>(one)->~T(); }});
    }
    return made;
  }

  std::string_view Copy(std::string_view text) {
    if (text.empty()) return {};
    char* const place = Allocate<char>(text.size());
    std::memcpy(place, text.data(), text.size());
    return {place, text.size()};
  }

  /// Frees all allocations. Keeps the first block and a few more megabytes; returns the
  /// other blocks to the system.
  void Reset() {
    if (bytes_used_ == 0) return;
    ResetUsed();
  }

  /// Limits the arena: allocating more throws ArenaFull. Bounds an evaluation whose texts and
  /// lists grow faster than its cost.
  void set_bytes_max(std::size_t bytes) { bytes_max_ = bytes; }

  /// Bytes allocated since the last Reset, without padding and unused ends of blocks.
  std::size_t bytes_used() const { return bytes_used_; }

  /// Bytes obtained from the system.
  std::size_t bytes_held() const {
    std::size_t bytes = 0;
    for (const Block& block : blocks_) bytes += block.size;
    return bytes;
  }

 private:
  struct Owned {
    void* object;
    void (*destroy)(void*);
  };

  void* AllocateBytes(std::size_t bytes, std::size_t alignment) {
    const std::size_t misfit = reinterpret_cast<std::uintptr_t>(cursor_) % alignment;
    const std::size_t padding = misfit == 0 ? 0 : alignment - misfit;
    if (cursor_ == nullptr || padding + bytes > static_cast<std::size_t>(end_ - cursor_))
        [[unlikely]] {
      AddBlock(bytes + alignment);
      return AllocateBytes(bytes, alignment);
    }
    std::byte* const place = cursor_ + padding;
    cursor_ = place + bytes;
    bytes_used_ += bytes;
    return place;
  }

  void AddBlock(std::size_t bytes_min);
  void ResetUsed();
  void DestroyOwned();

  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size;
  };

  void Use(std::size_t block) {
    block_ = block;
    cursor_ = blocks_[block].bytes.get();
    end_ = cursor_ + blocks_[block].size;
  }

  std::vector<Block> blocks_;
  std::size_t block_ = 0;  // current block; those after it are free
  std::vector<Owned> owned_;
  std::byte* cursor_ = nullptr;
  std::byte* end_ = nullptr;
  std::size_t bytes_first_;
  std::size_t bytes_used_ = 0;
  std::size_t bytes_max_ = SIZE_MAX;
};

}  // namespace plimsoll::cel
