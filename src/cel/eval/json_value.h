#pragma once

#include "cel/program.h"

namespace plimsoll::cel {

/// The value as protobuf's Struct, ListValue and Value hold it, that is as JSON: numbers are
/// doubles, whole ones that a double cannot hold are texts, and so are bytes (in base64), times and
/// durations. An error for what JSON cannot hold, as a map with keys that are no texts.
Value ToJson(Evaluation& evaluation, const Value& value);

}  // namespace plimsoll::cel
