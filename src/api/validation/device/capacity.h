#pragma once

#include "api/field_error.h"
#include "codec/value.h"

namespace plimsoll::api {

/// `requestPolicy` of a capacity that is shared between claims: the amounts that can be had of it.
void CheckRequestPolicy(const codec::Value& capacity, const FieldPath& at, FieldErrors& errors);

}  // namespace plimsoll::api
