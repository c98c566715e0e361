#include "scheduler/framework/score_column.h"

#include <algorithm>

#include "base/assert.h"

namespace plimsoll::scheduler {

void ScoreTally::Add(std::int32_t value, std::size_t count) {
  if (count == 0) return;
  const auto at =
      std::ranges::lower_bound(counts_, value, {}, [](auto& pair) { return pair.first; });
  if (at != counts_.end() && at->first == value) {
    at->second += count;
  } else {
    counts_.insert(at, {value, count});
  }
}

void ScoreTally::Remove(std::int32_t value) {
  const auto at =
      std::ranges::lower_bound(counts_, value, {}, [](auto& pair) { return pair.first; });
  PL_ASSERT(at != counts_.end() && at->first == value);
  if (--at->second == 0) counts_.erase(at);
}

void ScoreColumn::Reset(std::size_t size) {
  size_ = size;
  bytes_ = {};
  words_ = {};
}

void ScoreColumn::Grow(std::size_t size) {
  size_ = size;
  if (!bytes_.empty()) bytes_.resize(size);
  if (!words_.empty()) words_.resize(size);
}

void ScoreColumn::Widen(std::int32_t value) {
  if (bytes_.empty() && value >= 0 && value <= 0xff) {
    bytes_.resize(size_);
  } else {
    words_.resize(size_);
    std::ranges::copy(bytes_, words_.begin());
    bytes_ = {};
  }
}

}  // namespace plimsoll::scheduler
