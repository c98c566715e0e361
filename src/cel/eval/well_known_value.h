#pragma once

#include <span>
#include <string_view>

#include "cel/check/well_known.h"
#include "cel/program.h"

namespace plimsoll::cel {

/// A field of a message literal.
struct MessageField {
  std::string_view name;
  Value value;
};

/// Returns the value of a literal of a well-known protobuf message: `google.protobuf.Struct{}` is
/// an empty map, `google.protobuf.Int64Value{value: 1}` is 1. Missing fields are zero. An unknown
/// field or a value of the wrong type is an error.
Value MakeWellKnown(Evaluation& evaluation, const WellKnownType& message,
                    std::span<const MessageField> fields);

}  // namespace plimsoll::cel
