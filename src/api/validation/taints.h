#pragma once

#include <span>

#include "api/core/taint.h"
#include "api/field_error.h"

namespace plimsoll::api {

/// Taints of a node: unique by key and effect.
void ValidateTaints(std::span<const Taint> taints, const FieldPath& at, FieldErrors& errors);

}  // namespace plimsoll::api
