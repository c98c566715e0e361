#pragma once

#include <string>
#include <string_view>

#include "base/result.h"
#include "base/time.h"

namespace plimsoll::cli {

/// A flag's duration, as Go writes it: `1m30s`. Invalid, with the flag, unless it is above zero.
Result<Duration> ReadDuration(std::string_view flag, const std::string& text);

}  // namespace plimsoll::cli
