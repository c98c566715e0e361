#pragma once

#include <span>
#include <string_view>

#include "cel/environment.h"

namespace plimsoll::cel {

/// A protobuf message that is a native CEL value: `google.protobuf.Int64Value` is a wrapped int,
/// `google.protobuf.Struct` a map. Message literals may use these fields.
struct WellKnownType {
  std::string_view name;
  std::string_view type;  // its CEL type, as TypePool::Parse reads it
  std::span<const ObjectField> fields;
};

std::span<const WellKnownType> WellKnownTypes();
/// Returns nullptr if there is no message of that name.
const WellKnownType* FindWellKnownType(std::string_view name);

}  // namespace plimsoll::cel
