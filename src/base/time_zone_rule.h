#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace plimsoll {

/// Returns the UTC offset that a POSIX rule, such as `CET-1CEST,M3.5.0,M10.5.0/3`, gives at a time
/// in seconds since 1970. Returns nullopt if the rule is malformed.
std::optional<std::int64_t> OffsetByRule(std::string_view rule, std::int64_t seconds);

}  // namespace plimsoll
