#pragma once

#include "api/schema/schema.h"

/// What tools/gen_schema.py defines. Only schema.cc reads it.
namespace plimsoll::api::tables {

extern const std::span<const TypeDesc> kAllTypes;  // by TypeId
extern const std::span<const KindDesc> kAllKinds;  // in the order of kind, group, version
extern const std::span<const TypeDesc* const> kAllTypesByName;  // in the order of their names

}  // namespace plimsoll::api::tables
