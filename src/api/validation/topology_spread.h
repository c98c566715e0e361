#pragma once

#include <span>

#include "api/core/pod.h"
#include "api/field_error.h"
#include "api/validation/pod_options.h"

namespace plimsoll::api {

void ValidateTopologySpread(std::span<const TopologySpreadConstraint> constraints,
                            const PodValidationOptions& options, const FieldPath& at,
                            FieldErrors& errors);

}  // namespace plimsoll::api
