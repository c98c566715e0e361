#pragma once

#include <span>

#include "api/core/taint.h"
#include "api/field_error.h"

namespace plimsoll::api {

/// Validates the taints of a node; key and effect must be unique.
void ValidateTaints(std::span<const Taint> taints, const FieldPath& at, FieldErrors& errors);

}  // namespace plimsoll::api
