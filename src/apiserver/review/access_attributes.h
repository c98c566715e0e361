#pragma once

#include "api/field_error.h"
#include "apiserver/request/request_info.h"
#include "codec/value.h"

namespace plimsoll::apiserver {

/// Returns the attributes of the request that the spec of an access review describes.
RequestInfo ReadAttributes(const codec::Value& spec);

/// Validates the spec as upstream. `has_subject`: the spec names a user, as in all reviews but the
/// Self ones.
void ValidateAccessSpec(const codec::Value& spec, bool has_subject, api::FieldErrors& errors);

}  // namespace plimsoll::apiserver
