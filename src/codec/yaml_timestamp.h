#pragma once

#include <string_view>

namespace plimsoll::codec {

/// Returns true if goyaml.v2 reads an unquoted text as timestamp: a date, or a date and a time. The
/// time has the form of RFC 3339 with `T` or `t` and a zone, or with a blank and no zone. Fields
/// may have one digit; the day must exist.
bool IsYamlTimestamp(std::string_view text);

}  // namespace plimsoll::codec
