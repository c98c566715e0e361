#pragma once

#include "api/apps/workload.h"
#include "api/field_error.h"

namespace plimsoll::api {

/// Validates the completion mode and the numbers of a Job's spec.
void ValidateJobNumbers(const Workload& job, FieldErrors& errors);

/// Reports changes of fields that are immutable in addition to the selector and the template.
void ValidateJobUnchanged(const Workload& now, const Workload& before, FieldErrors& errors);

}  // namespace plimsoll::api
