#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace plimsoll {

/// The offset that a POSIX rule gives for a time, as in `CET-1CEST,M3.5.0,M10.5.0/3`. Nothing when
/// the rule cannot be read.
std::optional<std::int64_t> OffsetByRule(std::string_view rule, std::int64_t seconds);

}  // namespace plimsoll
