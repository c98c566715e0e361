#pragma once

#include "api/core/pod.h"
#include "api/field_error.h"
#include "api/validation/pod_options.h"

namespace plimsoll::api {

/// Annotations that mean something for a pod.
void ValidatePodAnnotations(const StringMap& annotations, const PodSpec& spec,
                            const PodValidationOptions& options, const FieldPath& at,
                            FieldErrors& errors);

}  // namespace plimsoll::api
