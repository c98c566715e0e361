#pragma once

#include <string>
#include <string_view>

#include "codec/value.h"

/// Trees as Go's fmt prints what its decoder makes of them, for messages.
namespace plimsoll::api {

/// %v: `map[image:n name:c3]`, keys in order.
std::string GoText(const codec::Value& value);

/// %s, which complains about what is no text: `%!s(int64=5)`.
std::string GoStringText(const codec::Value& value);

/// The Go type: `map[string]interface {}`, `[]interface {}`, `string`, …
std::string_view GoTypeText(const codec::Value& value);

}  // namespace plimsoll::api
