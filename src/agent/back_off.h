#pragma once

#include <algorithm>
#include <chrono>

#include "base/time.h"

namespace plimsoll::agent {

/// How long a container that ended must wait before it may start again, as upstream counts it: the
/// first time not at all, then 10 s after its end, doubling to 5 min. One that ran for long enough
/// (10 min since it was last started again) counts as new.
class BackOff {
 public:
  static constexpr Duration kMin = std::chrono::seconds(10);
  static constexpr Duration kMax = std::chrono::minutes(5);

  /// When it may start, having ended then.
  Instant ReadyAt(Instant ended_at) const { return IsNew(ended_at) ? ended_at : ended_at + delay_; }
  /// It starts again now, or has failed to start.
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
