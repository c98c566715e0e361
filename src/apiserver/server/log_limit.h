#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

#include "base/time.h"

namespace plimsoll::apiserver {

/// Bounds how many lines of one kind go to the log. Safe for use by many threads.
class LogLimit {
 public:
  explicit LogLimit(int per_second) : per_second_(per_second) {}

  /// Returns the number of lines dropped since the last one if a line may be written now, and
  /// nothing if this line must be dropped too.
  std::optional<std::uint64_t> Take(Instant now) {
    const std::lock_guard lock(mutex_);
    if (now - since_ >= std::chrono::seconds(1) || now < since_) {
      since_ = now;
      written_ = 0;
    }
    if (written_ >= per_second_) {
      ++omitted_;
      return std::nullopt;
    }
    ++written_;
    return std::exchange(omitted_, 0);
  }

 private:
  const int per_second_;
  std::mutex mutex_;
  Instant since_;
  int written_ = 0;  // since then
  std::uint64_t omitted_ = 0;
};

}  // namespace plimsoll::apiserver
