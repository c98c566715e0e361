#pragma once

#include "api/core/pod.h"
#include "api/field_error.h"
#include "codec/value.h"

namespace plimsoll::api {

/// Validates the claims in a pod's status: those created from its templates, and the claim for its
/// extended resources. `tree` is the pod's.
void ValidatePodClaimStatuses(const Pod& pod, const codec::Value& tree, FieldErrors& errors);

}  // namespace plimsoll::api
