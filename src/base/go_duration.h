#pragma once

#include <optional>
#include <string_view>

#include "base/time.h"

namespace plimsoll {

/// What Go's time.ParseDuration takes: `1h30m`, `-1.5s`, `0`; signed decimal numbers with units,
/// within 64 bits of nanoseconds.
std::optional<Duration> ParseGoDuration(std::string_view text);

}  // namespace plimsoll
