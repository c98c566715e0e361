#pragma once

#include <span>
#include <string_view>

#include "api/apps/workload.h"
#include "api/field_error.h"
#include "api/validation/context.h"
#include "api/validation/pod_options.h"

namespace plimsoll::api {

/// Validates a Deployment, ReplicaSet, StatefulSet, DaemonSet or Job: metadata,
/// selector, template, and the pod spec under `spec.template.spec`. A Job may omit the
/// selector: the server creates one.
FieldErrors ValidateWorkloadCreate(const Workload& workload, const ValidationContext& context);

/// Also reports changes of immutable fields, above all the selector. Both must be of one kind.
FieldErrors ValidateWorkloadUpdate(const Workload& now, const Workload& before,
                                   const ValidationContext& context);

/// Validates `spec.template`. `claim_volumes` are volumes that the workload adds to its pods.
void ValidatePodTemplate(const PodTemplateSpec& pod, const PodValidationOptions& options,
                         std::span<const std::string_view> claim_volumes, FieldErrors& errors);

}  // namespace plimsoll::api
