#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll::api {

/// The text of a Timestamp{1: seconds, 2: nanos} as metav1.Time reads it, which forgets the rest of
/// the second, or metav1.MicroTime, which keeps microseconds. Empty for Go's zero time, which is
/// null in JSON. BadRequest for years that RFC 3339 cannot write.
Result<std::string> ReadProtobufTime(std::string_view message, bool is_micro);

}  // namespace plimsoll::api
