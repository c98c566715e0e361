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

/// Memory given out piece by piece and taken back all at once. Reset keeps the first blocks, so
/// that a warm arena serves evaluation after evaluation without asking the system. For one thread.
class Arena {
 public:
  explicit Arena(std::size_t bytes_first = 4096) : bytes_first_(bytes_first) {}
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  Arena(Arena&& other) noexcept;
  Arena& operator=(Arena&& other) noexcept;
  ~Arena() { DestroyOwned(); }

  /// Uninitialized. Nothing in it is ever destroyed; use Own for what needs it.
  template <class T>
  T* Allocate(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T> && alignof(T) <= alignof(std::max_align_t));
    return static_cast<T*>(AllocateBytes(count * sizeof(T), alignof(T)));
  }

  /// A T that lives until Reset or the end of the arena, and is destroyed then.
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

  /// Forgets everything given out. The first block stays, and some megabytes behind it; all else
  /// goes back to the system.
  void Reset() {
    if (bytes_used_ == 0) return;
    ResetUsed();
  }

  /// From now on asking for more than this much throws ArenaFull: the bound of an evaluation whose
  /// texts and lists grow faster than its cost.
  void set_bytes_max(std::size_t bytes) { bytes_max_ = bytes; }

  /// Given out since the last Reset, padding and the unused ends of blocks not counted.
  std::size_t bytes_used() const { return bytes_used_; }

  /// Taken from the system.
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
  std::size_t block_ = 0;  // the one that is given out from; those behind it are free
  std::vector<Owned> owned_;
  std::byte* cursor_ = nullptr;
  std::byte* end_ = nullptr;
  std::size_t bytes_first_;
  std::size_t bytes_used_ = 0;
  std::size_t bytes_max_ = SIZE_MAX;
};

}  // namespace plimsoll::cel
