#pragma once

#include <span>
#include <string_view>

#include "cel/program.h"

namespace plimsoll::cel {

/// What a literal of one of protobuf's well-known messages stands for: `google.protobuf.Struct{}`
/// is an empty map, `google.protobuf.Int64Value{value: 1}` is 1. `fields` are the names of the
/// values; those that were not given have their zero.
Value MakeWellKnown(Evaluation& evaluation, std::string_view message, std::span<const Value> fields,
                    std::span<const Value> values);

}  // namespace plimsoll::cel
