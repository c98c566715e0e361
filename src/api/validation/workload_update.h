#pragma once

#include "api/apps/workload.h"
#include "api/field_error.h"

namespace plimsoll::api {

/// The parts of a workload that may not change once it is stored.
void ValidateUnchangedParts(const Workload& now, const Workload& before, FieldErrors& errors);

}  // namespace plimsoll::api
