#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

#include "base/assert.h"

namespace plimsoll::codec {

/// A stack whose first `kInline` elements need no heap allocation.
template <class T, std::size_t kInline>
class ScratchStack {
  static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

 public:
  ScratchStack() = default;
  ScratchStack(const ScratchStack&) = delete;
  ScratchStack& operator=(const ScratchStack&) = delete;

  std::size_t size() const { return size_; }
  T& operator[](std::size_t index) { return elements_[index]; }
  const T& operator[](std::size_t index) const { return elements_[index]; }
  T& back() {
    PL_ASSERT(size_ > 0);
    return elements_[size_ - 1];
  }
  T* begin() { return elements_; }
  T* end() { return elements_ + size_; }

  void push_back(const T& element) { Push() = element; }
  /// Adds an element that the caller must fill; its content is indeterminate.
  T& Push() {
    if (size_ == capacity_) [[unlikely]] {
      Grow();
    }
    return elements_[size_++];
  }
  void Shrink(std::size_t size) {
    PL_ASSERT(size <= size_);
    size_ = size;
  }

 private:
  void Grow() {
    auto larger = std::make_unique_for_overwrite<std::byte[]>(capacity_ * 2 * sizeof(T));
    T* const place = reinterpret_cast<T*>(larger.get());
    std::uninitialized_copy_n(elements_, size_, place);
    heap_ = std::move(larger);
    elements_ = place;
    capacity_ *= 2;
  }

  alignas(T) std::byte inline_[kInline * sizeof(T)];
  std::unique_ptr<std::byte[]> heap_;
  T* elements_ = reinterpret_cast<T*>(inline_);
  std::size_t size_ = 0;
  std::size_t capacity_ = kInline;
};

}  // namespace plimsoll::codec
