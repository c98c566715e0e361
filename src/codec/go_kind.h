#pragma once

#include <string_view>

#include "codec/value.h"

namespace plimsoll::codec {

/// Returns the name of the kind in Go's messages: `string`, `number`, `array`, …
std::string_view GoKindText(const Value& value);

}  // namespace plimsoll::codec
