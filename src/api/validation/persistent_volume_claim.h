#pragma once

#include "api/core/persistent_volume.h"
#include "api/field_error.h"

namespace plimsoll::api {

FieldErrors ValidatePersistentVolumeClaimCreate(const PersistentVolumeClaim& claim);

/// A claim is what was asked for: once stored, only a bound one may grow.
FieldErrors ValidatePersistentVolumeClaimUpdate(const PersistentVolumeClaim& now,
                                                const PersistentVolumeClaim& before);

}  // namespace plimsoll::api
