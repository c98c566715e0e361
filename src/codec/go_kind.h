#pragma once

#include <string_view>

#include "codec/value.h"

namespace plimsoll::codec {

/// What Go's messages call such a value: `string`, `number`, `array`, …
std::string_view GoKindText(const Value& value);

}  // namespace plimsoll::codec
