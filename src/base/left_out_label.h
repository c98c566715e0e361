#pragma once

#include <string_view>

namespace plimsoll {

/// In place of a label's value: the metric has no such label. No real value is a control character.
inline constexpr std::string_view kLeftOutLabel = "\x01";

}  // namespace plimsoll
