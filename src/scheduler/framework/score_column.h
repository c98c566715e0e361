#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace plimsoll::scheduler {

/// Multiset of numbers that tracks the highest while numbers are added and removed. Efficient for
/// few distinct numbers.
class ScoreTally {
 public:
  void Clear() { counts_.clear(); }
  void Add(std::int32_t value, std::size_t count = 1);
  /// REQUIRES: `value` was added before.
  void Remove(std::int32_t value);
  /// Returns the highest number, but at least 0; 0 if there is none.
  std::int32_t highest() const { return counts_.empty() ? 0 : std::max(0, counts_.back().first); }
  std::size_t MemoryBytes() const { return counts_.capacity() * sizeof(counts_[0]); }

 private:
  std::vector<std::pair<std::int32_t, std::size_t>> counts_;  // sorted by value
};

/// One number per node. Takes no memory while all are zero, and one byte each while all fit.
class ScoreColumn {
 public:
  /// Sets all numbers to zero.
  void Reset(std::size_t size);
  /// Adds nodes with zero.
  void Grow(std::size_t size);

  std::int32_t Get(std::size_t i) const {
    if (!bytes_.empty()) return bytes_[i];
    return words_.empty() ? 0 : words_[i];
  }
  void Set(std::size_t i, std::int32_t value) {
    if (!bytes_.empty() && value >= 0 && value <= 0xff) {
      bytes_[i] = static_cast<std::uint8_t>(value);
    } else if (!words_.empty()) {
      words_[i] = value;
    } else if (value != Get(i)) {
      Widen(value);
      Set(i, value);
    }
  }
  bool is_zero() const { return bytes_.empty() && words_.empty(); }
  std::size_t MemoryBytes() const {
    return bytes_.capacity() + words_.capacity() * sizeof(words_[0]);
  }

 private:
  /// Switches to a representation that can hold `value`.
  void Widen(std::int32_t value);

  std::size_t size_ = 0;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::int32_t> words_;
};

}  // namespace plimsoll::scheduler
