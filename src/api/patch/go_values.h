#pragma once

#include <string>
#include <string_view>

#include "codec/value.h"

/// Formats trees as Go's fmt prints the decoded values, for messages.
namespace plimsoll::api {

/// Formats as %v: `map[image:n name:c3]`, keys sorted.
std::string GoText(const codec::Value& value);

/// Formats as %s, which marks values that are no strings: `%!s(int64=5)`.
std::string GoStringText(const codec::Value& value);

/// Returns the Go type: `map[string]interface {}`, `[]interface {}`, `string`, …
std::string_view GoTypeText(const codec::Value& value);

}  // namespace plimsoll::api
