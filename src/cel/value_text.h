#pragma once

#include <string>

#include "cel/value.h"

namespace plimsoll::cel {

/// A value for people, in the language itself where it has a notation: `[1, "a"]`, `{"k": 2u}`,
/// `duration("1.5s")`, `quantity("1Gi")`, `optional.none()`; `error: …` for an error.
std::string ValueText(const Value& value);

}  // namespace plimsoll::cel
