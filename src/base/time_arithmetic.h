#pragma once

#include <chrono>
#include <cstdint>

#include "base/time.h"

/// Arithmetic on times that users write. It saturates: a result out of range becomes the nearest
/// Duration or Instant, and Duration::max() means "for ever".
namespace plimsoll {

/// Returns the whole seconds as a Duration.
constexpr Duration SaturatingSeconds(std::int64_t seconds) {
  constexpr std::int64_t kMax = std::chrono::floor<std::chrono::seconds>(Duration::max()).count();
  if (seconds > kMax) return Duration::max();
  if (seconds < -kMax) return Duration::min();
  return std::chrono::seconds(seconds);
}

/// Returns the instant that is `time` after `start`, or before it if `time` is negative.
constexpr Instant SaturatingAdd(Instant start, Duration time) {
  std::int64_t sum = 0;
  if (!__builtin_add_overflow(start.time_since_epoch().count(), time.count(), &sum)) {
    return Instant(Duration(sum));
  }
  return time > Duration::zero() ? Instant::max() : Instant::min();
}

/// Returns the time from one instant to the other; negative if `to` is the earlier one.
constexpr Duration TimeBetween(Instant from, Instant to) {
  std::int64_t span = 0;
  if (!__builtin_sub_overflow(to.time_since_epoch().count(), from.time_since_epoch().count(),
                              &span)) {
    return Duration(span);
  }
  return from < to ? Duration::max() : Duration::min();
}

/// Returns the first whole second that is not before `time`. Times go on the wire in whole seconds,
/// so a countdown from such a time starts there and is never shorter than requested.
constexpr Instant RoundUpToSecond(Instant time) {
  const auto whole = std::chrono::floor<std::chrono::seconds>(time);
  return Instant(whole) == time ? time : SaturatingAdd(whole, std::chrono::seconds(1));
}

}  // namespace plimsoll
