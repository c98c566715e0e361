#pragma once

#include "api/schema/schema.h"

/// What tools/gen_schema.py defines. Only schema.cc reads it.
namespace plimsoll::api::tables {

extern const std::span<const TypeDesc> kTypes;      // by TypeId
extern const std::span<const Shape> kShapes;        // by FieldDesc::shape
extern const std::span<const KindDesc> kKinds;      // in the order of kind, group, version
extern const std::span<const TypeId> kTypesByName;  // in the order of their names

}  // namespace plimsoll::api::tables
