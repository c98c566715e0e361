#pragma once

#include <optional>
#include <string_view>

#include "base/time.h"

namespace plimsoll {

/// Parses what Go's time.ParseDuration accepts: `1h30m`, `-1.5s`, `0`. These are signed decimal
/// numbers with units, within 64 bits of nanoseconds.
std::optional<Duration> ParseGoDuration(std::string_view text);

}  // namespace plimsoll
