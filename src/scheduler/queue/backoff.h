#pragma once

#include <chrono>
#include <cstdint>

#include "base/time.h"

namespace plimsoll::scheduler {

/// How long a pod waits after an unsuccessful attempt: doubled with each one, up to a limit.
struct Backoff {
  Duration initial = std::chrono::seconds(1);
  Duration max = std::chrono::seconds(10);

  /// After that many unsuccessful attempts in all; none: no wait.
  Duration After(std::uint32_t attempts) const {
    if (attempts == 0) return Duration::zero();
    const std::uint32_t doublings = attempts - 1;
    if (doublings >= 62 || initial.count() > (max.count() >> doublings)) return max;
    return Duration(initial.count() << doublings);
  }

  /// Waits end with whole seconds, so that pods of different priority whose waits end about
  /// together are tried in the order of priority.
  static Instant Window(Instant time) { return std::chrono::floor<std::chrono::seconds>(time); }
};

}  // namespace plimsoll::scheduler
