#pragma once

#include <span>

#include "api/field_error.h"
#include "codec/value.h"

namespace plimsoll::api {

/// `conditions` of a status, each as metav1.Condition has it, once per type. Trees are conformed.
void ValidateConditions(std::span<const codec::Value> conditions, const FieldPath& at,
                        FieldErrors& errors);

}  // namespace plimsoll::api
