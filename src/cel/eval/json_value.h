#pragma once

#include "cel/program.h"

namespace plimsoll::cel {

/// Converts a value to JSON, as protobuf's Struct, ListValue and Value hold it. Numbers become
/// doubles. Integers that a double cannot represent, bytes (base64), times and durations become
/// texts. Returns an error for values without a JSON form, such as maps with non-string keys.
Value ToJson(Evaluation& evaluation, const Value& value);

}  // namespace plimsoll::cel
