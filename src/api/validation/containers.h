#pragma once

#include <span>

#include "api/core/pod.h"
#include "api/field_error.h"
#include "api/validation/pod_options.h"
#include "api/validation/seen_texts.h"

namespace plimsoll::api {

/// Validates all containers of a pod: containers, then init containers, then ephemeral containers.
/// `volumes` are the names of volumes that may be mounted.
void ValidateContainers(const PodSpec& spec, const SeenTexts& volumes,
                        const PodValidationOptions& options, const FieldPath& spec_path,
                        FieldErrors& errors);

/// Rejects images with leading or trailing white space, which only templates may have.
void ValidateImagesOfPod(std::span<const Container> containers, const FieldPath& at,
                         FieldErrors& errors);

}  // namespace plimsoll::api
