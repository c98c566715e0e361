#pragma once

#include "api/core/pod.h"
#include "api/field_error.h"
#include "api/validation/context.h"

namespace plimsoll::api {

/// All faults of an update: what is wrong with the new state, and what may not change. As upstream,
/// some faults are found by more than one check and stand twice; `Distinct` gives the list that
/// clients see.
FieldErrors ValidatePodUpdate(const Pod& now, const Pod& before, const ValidationContext& context);

/// Reports changes of metadata that a write to a pod's status may not make.
void ValidatePodStatusMetadata(const Pod& now, const Pod& before, const ValidationContext& context,
                               FieldErrors& errors);

}  // namespace plimsoll::api
