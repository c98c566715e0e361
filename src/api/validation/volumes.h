#pragma once

#include <span>

#include "api/core/pod.h"
#include "api/field_error.h"
#include "api/validation/seen_texts.h"

namespace plimsoll::api {

/// Names and sources of a pod's volumes. The names of those without fault are added to `valid`;
/// only they can be mounted.
void ValidateVolumes(std::span<const Volume> volumes, const FieldPath& at, SeenTexts& valid,
                     FieldErrors& errors);

void ValidateVolumeMounts(std::span<const VolumeMount> mounts, const SeenTexts& volumes,
                          const FieldPath& at, FieldErrors& errors);

}  // namespace plimsoll::api
