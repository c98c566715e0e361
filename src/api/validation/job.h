#pragma once

#include "api/apps/workload.h"
#include "api/field_error.h"

namespace plimsoll::api {

/// How often and how long the pods of a Job run.
void ValidateJobNumbers(const Workload& job, FieldErrors& errors);

/// What an update may not touch beside the selector and the template.
void ValidateJobUnchanged(const Workload& now, const Workload& before, FieldErrors& errors);

}  // namespace plimsoll::api
