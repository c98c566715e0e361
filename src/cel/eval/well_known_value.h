#pragma once

#include <span>
#include <string_view>

#include "cel/check/well_known.h"
#include "cel/program.h"

namespace plimsoll::cel {

/// A field that a message literal gives.
struct MessageField {
  std::string_view name;
  Value value;
};

/// What a literal of one of protobuf's well-known messages stands for: `google.protobuf.Struct{}`
/// is an empty map, `google.protobuf.Int64Value{value: 1}` is 1. Fields that are not given have
/// their zero; one that does not exist or holds something else than it should makes an error.
Value MakeWellKnown(Evaluation& evaluation, const WellKnownType& message,
                    std::span<const MessageField> fields);

}  // namespace plimsoll::cel
