#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/assert.h"

namespace plimsoll {

/// A set of small numbers, stored as bits. Operations on two bitmaps require equal sizes. They loop
/// over 64-bit words, which compilers vectorise. Bits beyond the size are always zero.
class Bitmap {
 public:
  static constexpr std::size_t kWordBits = 64;

  Bitmap() = default;
  explicit Bitmap(std::size_t size) { Resize(size); }

  std::size_t size() const { return size_; }

  /// Changes the size. New bits are zero.
  void Resize(std::size_t size) {
    words_.resize((size + kWordBits - 1) / kWordBits);
    size_ = size;
    ClearTail();
  }

  bool Test(std::size_t i) const {
    PL_ASSERT(i < size_);
    return (words_[i / kWordBits] >> (i % kWordBits) & 1) != 0;
  }
  void Set(std::size_t i) {
    PL_ASSERT(i < size_);
    words_[i / kWordBits] |= Mask(i);
  }
  void Reset(std::size_t i) {
    PL_ASSERT(i < size_);
    words_[i / kWordBits] &= ~Mask(i);
  }
  void Assign(std::size_t i, bool on) {
    if (on) {
      Set(i);
    } else {
      Reset(i);
    }
  }
  void Fill(bool on) {
    std::ranges::fill(words_, on ? ~std::uint64_t{0} : 0);
    ClearTail();
  }

  void And(const Bitmap& other) {
    Combine(other, [](std::uint64_t a, std::uint64_t b) { return a & b; });
  }
  void Or(const Bitmap& other) {
    Combine(other, [](std::uint64_t a, std::uint64_t b) { return a | b; });
  }
  void AndNot(const Bitmap& other) {
    Combine(other, [](std::uint64_t a, std::uint64_t b) { return a & ~b; });
  }

  std::size_t Count() const {
    std::size_t count = 0;
    for (const std::uint64_t word : words_) count += static_cast<std::size_t>(std::popcount(word));
    return count;
  }
  bool Any() const {
    return std::ranges::any_of(words_, [](std::uint64_t word) { return word != 0; });
  }

  /// Calls `visit(i)` for every set bit, in order.
  template <class Visitor>
  void ForEach(Visitor&& visit) const {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t word = words_[w]; word != 0; word &= word - 1) {
        visit(w * kWordBits + static_cast<std::size_t>(std::countr_zero(word)));
      }
    }
  }

  /// For code that computes whole words. A caller that writes must keep bits beyond the size zero.
  std::span<std::uint64_t> words() { return words_; }
  std::span<const std::uint64_t> words() const { return words_; }

  std::size_t MemoryBytes() const { return words_.capacity() * sizeof(std::uint64_t); }

  friend bool operator==(const Bitmap&, const Bitmap&) = default;

 private:
  static std::uint64_t Mask(std::size_t i) { return std::uint64_t{1} << (i % kWordBits); }

  void ClearTail() {
    if (size_ % kWordBits != 0) words_.back() &= Mask(size_) - 1;
  }

  template <class Operation>
  void Combine(const Bitmap& other, Operation operation) {
    PL_ASSERT(size_ == other.size_);
    std::uint64_t* const to = words_.data();
    const std::uint64_t* const from = other.words_.data();
    const std::size_t count = words_.size();
    for (std::size_t w = 0; w < count; ++w) to[w] = operation(to[w], from[w]);
  }

  std::size_t size_ = 0;
  std::vector<std::uint64_t> words_;
};

}  // namespace plimsoll
