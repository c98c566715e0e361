#pragma once

#include <string_view>

namespace plimsoll::codec {

/// Whether goyaml.v2 takes an unquoted text for a timestamp: a date, or a date and a time as RFC
/// 3339 writes it with `T` or `t` and a zone, or with a blank and no zone. Fields may have one
/// digit; the day must exist.
bool IsYamlTimestamp(std::string_view text);

}  // namespace plimsoll::codec
