#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll::api {

/// Returns the text of a Timestamp{1: seconds, 2: nanos}: metav1.Time with whole seconds, or, if
/// `is_micro`, metav1.MicroTime with microseconds. Empty for Go's zero time, which is null in JSON.
/// BadRequest for years that RFC 3339 cannot express.
Result<std::string> ReadProtobufTime(std::string_view message, bool is_micro);

}  // namespace plimsoll::api
