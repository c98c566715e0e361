#pragma once

#include <string>
#include <string_view>

#include "api/schema/schema.h"
#include "codec/value.h"

namespace plimsoll::cli {

/// Returns what a value should be and what it is, if it does not have the type of its field:
/// `spec.priority: want a whole number, not the text "high"`. Empty if the field is unknown or the
/// value has its type. `field` is the path in the object `tree`, which has this type.
std::string FaultOfType(const api::TypeDesc& type, const codec::Value& tree,
                        std::string_view field);

}  // namespace plimsoll::cli
