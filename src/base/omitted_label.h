#pragma once

#include <string_view>

namespace plimsoll {

/// Label value that means: this metric has no such label. No real value is a control character.
inline constexpr std::string_view kOmittedLabel = "\x01";

}  // namespace plimsoll
