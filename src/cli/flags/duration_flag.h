#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

namespace plimsoll::cli {

/// Parses a Go duration such as `1m30s`. Returns Invalid, naming the flag, unless it is positive.
Result<Duration> ParseDurationFlag(std::string_view flag, const std::string& text);

}  // namespace plimsoll::cli
