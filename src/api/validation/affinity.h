#pragma once

#include "api/core/pod.h"
#include "api/field_error.h"
#include "api/validation/pod_options.h"

namespace plimsoll::api {

void ValidateNodeAffinity(const NodeAffinity& affinity, const PodValidationOptions& options,
                          const FieldPath& at, FieldErrors& errors);

void ValidateAffinity(const Affinity& affinity, const PodValidationOptions& options,
                      const FieldPath& at, FieldErrors& errors);

}  // namespace plimsoll::api
