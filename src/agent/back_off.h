#pragma once

#include <algorithm>
#include <chrono>

#include "base/time.h"

namespace plimsoll::agent {

/// Delay before an ended container may start again, like upstream's. There is none the first time,
/// then 10 s after its end, doubled up to 5 min. A container that ran long enough (10 min since its
/// last restart) counts as new.
class BackOff {
 public:
  static constexpr Duration kMin = std::chrono::seconds(10);
  static constexpr Duration kMax = std::chrono::minutes(5);

  /// Returns when a container that ended at `ended_at` may start.
  Instant ReadyAt(Instant ended_at) const { return IsNew(ended_at) ? ended_at : ended_at + delay_; }
  /// Records a restart, or a failed start.
  void Count(Instant ended_at, Instant now) {
    delay_ = IsNew(ended_at) ? kMin : std::min(delay_ * 2, kMax);
    counted_at_ = now;
  }
  Duration delay() const { return delay_; }

 private:
  bool IsNew(Instant ended_at) const {
    return delay_ == Duration::zero() || ended_at - counted_at_ > 2 * kMax;
  }

  Duration delay_{};
  Instant counted_at_;
};

}  // namespace plimsoll::agent
