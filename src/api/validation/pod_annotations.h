#pragma once

#include "api/core/pod.h"
#include "api/field_error.h"
#include "api/validation/pod_options.h"

namespace plimsoll::api {

/// Reports invalid values of annotations that have a meaning for a pod.
void ValidatePodAnnotations(const StringMap& annotations, const PodSpec& spec,
                            const PodValidationOptions& options, const FieldPath& at,
                            FieldErrors& errors);

/// Reports changes of annotations that are fixed when a pod is created: the mark of a mirror pod
/// and AppArmor profiles. The node authorizer relies on the mark: whoever removes it from a mirror
/// pod gives the pod's node access to all that the pod names.
void ValidatePodAnnotationUpdate(const StringMap& now, const StringMap& before, const FieldPath& at,
                                 FieldErrors& errors);

}  // namespace plimsoll::api
