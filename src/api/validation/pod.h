#pragma once

#include "api/core/pod.h"
#include "api/field_error.h"
#include "api/validation/context.h"
#include "api/validation/pod_options.h"

namespace plimsoll::api {

/// Returns all errors of a new pod, after defaults, in upstream's order.
FieldErrors ValidatePodCreate(const Pod& pod, const ValidationContext& context);

/// Validation shared by creation and update.
void ValidatePodMetadataAndSpec(const Pod& pod, const PodValidationOptions& options,
                                FieldErrors& errors);

/// Returns the errors without duplicates.
FieldErrors Distinct(const FieldErrors& errors);

}  // namespace plimsoll::api
