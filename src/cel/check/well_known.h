#pragma once

#include <span>
#include <string_view>

#include "cel/environment.h"

namespace plimsoll::cel {

/// A message of protobuf that is a value of the language: `google.protobuf.Int64Value` is a wrapped
/// int, `google.protobuf.Struct` a map. It can be written as a message literal with these fields.
struct WellKnownType {
  std::string_view name;
  std::string_view type;  // what it is to expressions, as TypePool::Parse reads it
  std::span<const ObjectField> fields;
};

std::span<const WellKnownType> WellKnownTypes();
/// nullptr: no message of that name.
const WellKnownType* FindWellKnownType(std::string_view name);

}  // namespace plimsoll::cel
