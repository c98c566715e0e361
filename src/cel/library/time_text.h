#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "cel/value.h"

/// Times and durations as Go parses and formats them.
namespace plimsoll::cel {

// The years 1 to 9999.
inline constexpr std::int64_t kTimestampSecondsMin = -62'135'596'800;
inline constexpr std::int64_t kTimestampSecondsMax = 253'402'300'799;

/// Formats a duration in seconds, with the precision of a double: `5400s`, `0.000000001s`.
std::string DurationText(std::int64_t nanoseconds);

/// Parses RFC 3339 as Go's time.Parse: any fraction after a point or comma, a
/// one-digit hour. The year may be 0, and an offset may lead outside the range of
/// timestamps; check with IsTimestamp.
std::optional<Value> ParseTimestamp(std::string_view text);
bool IsTimestamp(std::int64_t seconds);
/// Formats with the original offset and as few fraction digits as possible.
std::string TimestampText(const Value& timestamp);

}  // namespace plimsoll::cel
