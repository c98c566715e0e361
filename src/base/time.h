#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll {

using Duration = std::chrono::nanoseconds;

/// The clock of all our times. It has no now(): whoever needs the time is handed it, or a Clock.
struct ClusterClock {
  // NOLINTBEGIN(readability-identifier-naming): the standard's names.
  using rep = Duration::rep;
  using period = Duration::period;
  using duration = Duration;
  using time_point = std::chrono::time_point<ClusterClock>;
  static constexpr bool is_steady = false;
  // NOLINTEND(readability-identifier-naming)
};

/// A point in time: nanoseconds since 1970 in UTC, from the year 1677 to 2262.
using Instant = ClusterClock::time_point;

/// As `metav1.Time` goes on the wire: `2026-03-01T12:30:00Z`, the rest of the second cut off.
std::string FormatTime(Instant time);
/// As `metav1.MicroTime` does: `2026-03-01T12:30:00.123456Z`.
std::string FormatMicroTime(Instant time);

/// Reads what `metav1.Time` takes: RFC 3339 with any offset and, as in Go, any fraction of a
/// second. A time that no Instant can hold becomes the nearest one. BadRequest: Go's text, `parsing
/// time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"`.
Result<Instant> ParseTime(std::string_view text);
/// Likewise for `metav1.MicroTime`, which wants six digits of fraction.
Result<Instant> ParseMicroTime(std::string_view text);

/// As Go writes a time.Duration: `1h0m0.5s`, `300ms`, `0s`.
std::string FormatDuration(Duration duration);

}  // namespace plimsoll
