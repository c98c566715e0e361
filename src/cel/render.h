#pragma once

#include <string>

#include "cel/value.h"

namespace plimsoll::cel {

/// Formats a value in CEL syntax: `"a"`, `1u`, `[1, 2]`, `{"k": true}`, `duration("1.5s")`,
/// `quantity("1Gi")`, `optional.none()`. An error is formatted as its message.
std::string Render(const Value& value);

}  // namespace plimsoll::cel
