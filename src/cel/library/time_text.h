#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cel/value.h"

/// Times and durations as Go reads and writes them.
namespace plimsoll::cel {

// The years 1 to 9999.
inline constexpr std::int64_t kTimestampSecondsMin = -62'135'596'800;
inline constexpr std::int64_t kTimestampSecondsMax = 253'402'300'799;

/// Seconds, as precise as a double is: `5400s`, `0.000000001s`.
std::string DurationText(std::int64_t nanoseconds);

/// RFC 3339 as Go's time.Parse takes it: any fraction behind a point or comma, a one-digit hour.
/// The year may be 0 and an offset may lead out of the years that a timestamp has: see
/// IsTimestamp.
std::optional<Value> ParseTimestamp(std::string_view text);
bool IsTimestamp(std::int64_t seconds);
/// With the offset that it was written with, and no more digits of fraction than needed.
std::string TimestampText(const Value& timestamp);

}  // namespace plimsoll::cel
