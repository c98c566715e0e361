#pragma once

#include "api/field_error.h"
#include "codec/value.h"

namespace plimsoll::api {

/// Checks `requestPolicy` of a capacity that claims share: the amounts that they may request.
void CheckRequestPolicy(const codec::Value& capacity, const FieldPath& at, FieldErrors& errors);

}  // namespace plimsoll::api
