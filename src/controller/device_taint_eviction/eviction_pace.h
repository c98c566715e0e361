#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/time.h"

namespace plimsoll::controller {

/// Rate limiter for the evictions of one taint: `evictionsPerSecond` after an initial burst. It
/// starts with a full burst, and has one again after enough idle time.
class EvictionPace {
 public:
  static constexpr std::int64_t kBurst = 10;
  /// The runner may wake the controller late. While pods wait, this much delay is made up for.
  static constexpr Duration kLatenessMax = std::chrono::milliseconds(100);
  /// Evictions due within this time are done together, up to a burst. Waking the controller and
  /// writing for each one alone would be too slow at high rates.
  static constexpr Duration kGatheringMax = std::chrono::milliseconds(10);

  /// Sets the rate. The used part of the burst stays used and refills at the new rate. Returns
  /// false if the rate is unchanged.
  bool SetRate(std::int64_t per_second, Instant now) {
    const Duration before = interval_;
    interval_ = Duration(std::chrono::seconds(1)) / std::max<std::int64_t>(per_second, 1);
    if (interval_ == before) return false;
    if (full_at_ <= now) return true;
    const double missing =
        static_cast<double>((full_at_ - now).count()) / static_cast<double>(before.count());
    full_at_ =
        now + Duration(static_cast<std::int64_t>(missing * static_cast<double>(interval_.count())));
    return true;
  }

  /// Returns the earliest time of the next eviction.
  Instant NextFree() const { return full_at_ - (kBurst - 1) * interval_; }
  /// Returns when to wake the controller while pods wait.
  Instant NextTurn() const {
    const bool are_gathered = interval_ < kGatheringMax;
    return NextFree() +
           (are_gathered ? std::min((kBurst - 1) * interval_, kGatheringMax) : Duration::zero());
  }
  /// Records an eviction. `has_waited`: pods were due continuously since NextFree().
  void Take(Instant now, bool has_waited) {
    // Written without std::max: with it, g++ 12 miscompiles the loop and loses full_at_.
    const Instant earliest = has_waited ? now - kLatenessMax : now;
    if (full_at_ < earliest) full_at_ = earliest;
    full_at_ += interval_;
  }
  /// Records an eviction by another taint. It never costs more than the whole burst.
  void Charge(Instant now) {
    full_at_ = std::min(std::max(full_at_, now) + interval_, now + kBurst * interval_);
  }
  /// Returns the time from which on the limiter equals a new one.
  Instant IdleFrom() const { return full_at_; }

 private:
  Duration interval_{};
  Instant full_at_{};  // time at which the burst is full again
};

}  // namespace plimsoll::controller
