#pragma once

#include <algorithm>
#include <chrono>

#include "base/time.h"

namespace plimsoll::agent {

/// Rate limit: `at_once` tokens as a burst, then `per_second`.
class TokenBucket {
 public:
  TokenBucket(double per_second, double at_once)
      : per_second_(per_second), at_once_(at_once), tokens_(at_once) {}

  /// Returns false if no token is left.
  bool Acquire(Instant now) {
    if (per_second_ <= 0) return false;
    if (now > at_) {
      const double seconds = std::chrono::duration<double>(now - at_).count();
      tokens_ = std::min(at_once_, tokens_ + seconds * per_second_);
      at_ = now;
    }
    if (tokens_ < 1) return false;
    tokens_ -= 1;
    return true;
  }

 private:
  double per_second_;
  double at_once_;
  double tokens_;
  Instant at_;
};

}  // namespace plimsoll::agent
