#pragma once

#include "api/apps/workload.h"
#include "api/field_error.h"

namespace plimsoll::api {

/// Reports changes of immutable parts of a workload.
void ValidateUnchangedParts(const Workload& now, const Workload& before, FieldErrors& errors);

}  // namespace plimsoll::api
