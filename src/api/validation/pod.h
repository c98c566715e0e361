#pragma once

#include "api/core/pod.h"
#include "api/field_error.h"
#include "api/validation/context.h"
#include "api/validation/pod_options.h"

namespace plimsoll::api {

/// All faults of a pod that is to be created, after defaults, in upstream's order.
FieldErrors ValidatePodCreate(const Pod& pod, const ValidationContext& context);

/// What creation and update have in common.
void ValidatePodMetadataAndSpec(const Pod& pod, const PodValidationOptions& options,
                                FieldErrors& errors);

/// The same without repeated errors.
FieldErrors Distinct(const FieldErrors& errors);

}  // namespace plimsoll::api
