#pragma once

#include <span>

#include "api/core/pod.h"
#include "api/field_error.h"
#include "api/validation/pod_options.h"
#include "api/validation/seen_texts.h"

namespace plimsoll::api {

/// All containers of a pod: first those that run together, then the init containers, then the
/// ephemeral ones. `volumes` are the names that may be mounted.
void ValidateContainers(const PodSpec& spec, const SeenTexts& volumes,
                        const PodValidationOptions& options, const FieldPath& spec_path,
                        FieldErrors& errors);

/// A template may hold an image with blanks around it, a pod may not.
void ValidateImagesOfPod(std::span<const Container> containers, const FieldPath& at,
                         FieldErrors& errors);

/// Without blanks, as strings.TrimSpace leaves it.
bool HasOuterBlanks(std::string_view text);

}  // namespace plimsoll::api
