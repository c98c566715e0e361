#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <utility>

#include "base/time.h"

namespace plimsoll::apiserver {

/// Limits the number of log lines per second. Safe for use by many threads.
class LogLimit {
 public:
  explicit LogLimit(int per_second) : per_second_(per_second) {}

  /// If a line may be logged now, returns the number of lines dropped since the previous one.
  /// Returns nullopt if this line must be dropped, too.
  std::optional<std::uint64_t> Acquire(Instant now) {
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
  int written_ = 0;  // since `since_`
  std::uint64_t omitted_ = 0;
};

}  // namespace plimsoll::apiserver
