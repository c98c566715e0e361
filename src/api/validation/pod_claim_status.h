#pragma once

#include "api/core/pod.h"
#include "api/field_error.h"
#include "codec/value.h"

namespace plimsoll::api {

/// The claims that a pod's status names: those made from its templates, and the one that stands for
/// its extended resources. `tree` is the pod's.
void ValidatePodClaimStatuses(const Pod& pod, const codec::Value& tree, FieldErrors& errors);

}  // namespace plimsoll::api
