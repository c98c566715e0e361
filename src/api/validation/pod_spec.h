#pragma once

#include <span>
#include <string_view>

#include "api/core/pod.h"
#include "api/field_error.h"
#include "api/validation/pod_options.h"

namespace plimsoll::api {

/// Validates the spec of a pod or a template, in upstream's order. `claim_volumes` are volumes that
/// the workload adds to every pod (volumeClaimTemplates); containers may mount them.
void ValidatePodSpec(const PodSpec& spec, const PodValidationOptions& options, const FieldPath& at,
                     FieldErrors& errors, std::span<const std::string_view> claim_volumes = {});

}  // namespace plimsoll::api
