#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "cel/environment.h"

namespace plimsoll::cel {

/// Marks the place of what is missing from the source: it is reported before the first column.
inline constexpr std::uint32_t kMissingOffset = kNoOffset - 1;

/// Collects faults, up to kIssuesMax, and counts the rest.
class IssueList {
 public:
  void Report(std::uint32_t offset, std::string message) {
    if (++count_ > kIssuesMax) return;
    list_.push_back({offset, std::move(message)});
  }

  /// Forgets what was reported after the first `count`.
  void Truncate(std::size_t count) {
    count_ = std::min(count_, count);
    if (list_.size() > count_)
      list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(count_), list_.end());
  }

  bool empty() const { return count_ == 0; }
  std::size_t count() const { return count_; }

  /// Everything reported, as the answer of a compilation.
  Issues Take(Issues::Stage stage, std::shared_ptr<const std::string> source);

 private:
  std::vector<Issue> list_;
  std::size_t count_ = 0;
};

}  // namespace plimsoll::cel
