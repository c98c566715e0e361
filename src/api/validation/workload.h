#pragma once

#include <span>
#include <string_view>

#include "api/apps/workload.h"
#include "api/field_error.h"
#include "api/validation/context.h"
#include "api/validation/pod_options.h"

namespace plimsoll::api {

/// Deployment, ReplicaSet, StatefulSet, DaemonSet, Job: metadata, the selector and its template,
/// and the pod spec of the template under `spec.template.spec`. A Job without a selector is right:
/// the server makes one for it.
FieldErrors ValidateWorkloadCreate(const Workload& workload, const ValidationContext& context);

/// Also what may not change, the selector before all. Both must be of one kind.
FieldErrors ValidateWorkloadUpdate(const Workload& now, const Workload& before,
                                   const ValidationContext& context);

/// What stands under `spec.template`. `claim_volumes` are volumes that its owner adds to the pods.
void ValidatePodTemplate(const PodTemplateSpec& pod, const PodValidationOptions& options,
                         std::span<const std::string_view> claim_volumes, FieldErrors& errors);

}  // namespace plimsoll::api
