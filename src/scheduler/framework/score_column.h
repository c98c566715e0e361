#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace plimsoll::scheduler {

/// Which numbers occur how often, to know the highest while they come and go. There are few
/// different ones.
class ScoreTally {
 public:
  void Clear() { counts_.clear(); }
  void Add(std::int32_t value, std::size_t count = 1);
  /// The value must have been added.
  void Remove(std::int32_t value);
  /// 0 when there is nothing, or nothing above it.
  std::int32_t highest() const { return counts_.empty() ? 0 : std::max(0, counts_.back().first); }
  std::size_t MemoryBytes() const { return counts_.capacity() * sizeof(counts_[0]); }

 private:
  std::vector<std::pair<std::int32_t, std::size_t>> counts_;  // ascending
};

/// One number per node, in no memory while all are zero, and in a byte while all fit.
class ScoreColumn {
 public:
  /// All become zero.
  void Reset(std::size_t size);
  /// New ones are zero.
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
  /// Makes room for such a value.
  void Widen(std::int32_t value);

  std::size_t size_ = 0;
  std::vector<std::uint8_t> bytes_;
  std::vector<std::int32_t> words_;
};

}  // namespace plimsoll::scheduler
