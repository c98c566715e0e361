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

/// Offset of missing input: reported before the first column.
inline constexpr std::uint32_t kMissingOffset = kNoOffset - 1;

/// Collects up to kIssuesMax issues and counts the rest.
class IssueList {
 public:
  void Report(std::uint32_t offset, std::string message) {
    if (++count_ > kIssuesMax) return;
    list_.push_back({offset, std::move(message)});
  }

  /// Removes all issues after the first `count`.
  void Truncate(std::size_t count) {
    count_ = std::min(count_, count);
    if (list_.size() > count_)
      list_.erase(list_.begin() + static_cast<std::ptrdiff_t>(count_), list_.end());
  }

  bool empty() const { return count_ == 0; }
  std::size_t count() const { return count_; }

  /// Returns all issues as the result of a compilation.
  Issues Finish(Issues::Stage stage, std::shared_ptr<const std::string> source);

 private:
  std::vector<Issue> list_;
  std::size_t count_ = 0;
};

}  // namespace plimsoll::cel
