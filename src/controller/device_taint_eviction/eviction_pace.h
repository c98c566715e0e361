#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "base/time.h"

namespace plimsoll::controller {

/// Spaces the evictions of one taint: `evictionsPerSecond`, after a burst that goes without delay.
/// New, it has its whole burst; one that was idle for long enough is as a new one.
class EvictionPace {
 public:
  static constexpr std::int64_t kBurst = 10;
  /// Whoever wakes the controller may be late. While pods wait, the rate makes up for that much.
  static constexpr Duration kLatenessMax = std::chrono::milliseconds(100);
  /// Where several may go within that time, they go together, up to a burst: whoever is woken for
  /// each of them, and writes each for itself, does nothing else.
  static constexpr Duration kGatheringMax = std::chrono::milliseconds(10);

  /// What is missing of the burst stays the same, and comes back at the new rate. False: it is what
  /// it was.
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

  /// From when on the next one may go.
  Instant NextFree() const { return full_at_ - (kBurst - 1) * interval_; }
  /// When to look again, while pods wait.
  Instant NextTurn() const {
    const bool are_gathered = interval_ < kGatheringMax;
    return NextFree() +
           (are_gathered ? std::min((kBurst - 1) * interval_, kGatheringMax) : Duration::zero());
  }
  /// One goes. `has_waited`: there were pods to evict ever since NextFree().
  void Take(Instant now, bool has_waited) {
    // By hand: g++ 12 makes of std::max and the choice, within a loop, one that forgets full_at_.
    const Instant earliest = has_waited ? now - kLatenessMax : now;
    if (full_at_ < earliest) full_at_ = earliest;
    full_at_ += interval_;
  }
  /// One went at another taint's pace. It counts, but nothing is owed beyond an empty burst.
  void Charge(Instant now) {
    full_at_ = std::min(std::max(full_at_, now) + interval_, now + kBurst * interval_);
  }
  /// From when on nothing is left to remember.
  Instant IdleFrom() const { return full_at_; }

 private:
  Duration interval_{};
  Instant full_at_{};  // when the whole burst is there again
};

}  // namespace plimsoll::controller
