#pragma once

#include "api/core/pod.h"
#include "api/field_error.h"
#include "api/validation/pod_options.h"

namespace plimsoll::api {

/// Reports invalid values of pod annotations that Kubernetes interprets.
void ValidatePodAnnotations(const StringMap& annotations, const PodSpec& spec,
                            const PodValidationOptions& options, const FieldPath& at,
                            FieldErrors& errors);

/// Reports changes of annotations that are immutable: the mirror pod annotation and AppArmor
/// profiles. The node authorizer relies on the former. Without it, the node of a mirror pod would
/// get access to all objects that the pod references.
void ValidatePodAnnotationUpdate(const StringMap& now, const StringMap& before, const FieldPath& at,
                                 FieldErrors& errors);

}  // namespace plimsoll::api
