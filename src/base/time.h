#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll {

using Duration = std::chrono::nanoseconds;

/// Clock type of all our times. It has no now(): functions take the time, or a Clock, as argument.
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

/// Formats as `metav1.Time`: `2026-03-01T12:30:00Z`. Fractions of a second are cut off.
std::string FormatTime(Instant time);
/// Formats as `metav1.MicroTime`: `2026-03-01T12:30:00.123456Z`.
std::string FormatMicroTime(Instant time);

/// Parses what `metav1.Time` accepts: RFC 3339 with any offset and, as in Go, any fraction of a
/// second. A time out of range becomes the nearest Instant. BadRequest: has Go's text, `parsing
/// time "x" as "2006-01-02T15:04:05Z07:00": cannot parse "x" as "2006"`.
Result<Instant> ParseTime(std::string_view text);
/// Same as ParseTime, for `metav1.MicroTime`, which requires six digits of fraction.
Result<Instant> ParseMicroTime(std::string_view text);

/// Formats as Go's time.Duration: `1h0m0.5s`, `300ms`, `0s`.
std::string FormatDuration(Duration duration);

}  // namespace plimsoll
