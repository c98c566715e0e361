#pragma once

#include <span>

#include "api/field_error.h"
#include "codec/value.h"

namespace plimsoll::api {

/// Validates status `conditions` as metav1.Condition; types must be unique. Trees are conformed.
void ValidateConditions(std::span<const codec::Value> conditions, const FieldPath& at,
                        FieldErrors& errors);

}  // namespace plimsoll::api
