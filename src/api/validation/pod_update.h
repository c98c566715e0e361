#pragma once

#include "api/core/pod.h"
#include "api/field_error.h"
#include "api/validation/context.h"

namespace plimsoll::api {

/// Returns all errors of an update: errors of the new state and forbidden
/// changes. Several checks may report the same error, as upstream; `Distinct`
/// returns the list that clients see.
FieldErrors ValidatePodUpdate(const Pod& now, const Pod& before, const ValidationContext& context);

/// Reports changes of metadata that a write to a pod's status may not make.
void ValidatePodStatusMetadata(const Pod& now, const Pod& before, const ValidationContext& context,
                               FieldErrors& errors);

}  // namespace plimsoll::api
