#pragma once

#include <chrono>
#include <cstdint>

#include "base/time.h"

namespace plimsoll::scheduler {

/// Back-off after an unsuccessful attempt: doubles with each attempt, up to a limit.
struct Backoff {
  Duration initial = std::chrono::seconds(1);
  Duration max = std::chrono::seconds(10);

  /// Returns the back-off after `attempts` unsuccessful attempts; zero for none.
  Duration After(std::uint32_t attempts) const {
    if (attempts == 0) return Duration::zero();
    const std::uint32_t doublings = attempts - 1;
    if (doublings >= 62 || initial.count() > (max.count() >> doublings)) return max;
    return Duration(initial.count() << doublings);
  }

  /// Rounds the end of a back-off down to whole seconds. Pods whose back-offs end within the same
  /// second are then tried in order of priority.
  static Instant Window(Instant time) { return std::chrono::floor<std::chrono::seconds>(time); }
};

}  // namespace plimsoll::scheduler
