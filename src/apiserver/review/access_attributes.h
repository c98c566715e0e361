#pragma once

#include "api/field_error.h"
#include "apiserver/request/request_info.h"
#include "codec/value.h"

namespace plimsoll::apiserver {

/// What the spec of an access review asks about.
RequestInfo ReadAttributes(const codec::Value& spec);

/// Upstream's checks of the spec; `has_subject` when it names a user, as all but the reviews of
/// oneself do.
void ValidateAccessSpec(const codec::Value& spec, bool has_subject, api::FieldErrors& errors);

}  // namespace plimsoll::apiserver
