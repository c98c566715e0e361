#pragma once

#include <span>

#include "api/core/pod.h"
#include "api/field_error.h"
#include "api/validation/seen_texts.h"

namespace plimsoll::api {

/// Validates names and sources of a pod's volumes. Adds the names of valid volumes to
/// `valid`; only those can be mounted.
void ValidateVolumes(std::span<const Volume> volumes, const FieldPath& at, SeenTexts& valid,
                     FieldErrors& errors);

void ValidateVolumeMounts(std::span<const VolumeMount> mounts, const SeenTexts& volumes,
                          const FieldPath& at, FieldErrors& errors);

}  // namespace plimsoll::api
