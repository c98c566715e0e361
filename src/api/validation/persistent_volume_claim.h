#pragma once

#include "api/core/persistent_volume.h"
#include "api/field_error.h"

namespace plimsoll::api {

FieldErrors ValidatePersistentVolumeClaimCreate(const PersistentVolumeClaim& claim);

/// The spec of a stored claim is immutable, except that the request of a bound claim may grow.
FieldErrors ValidatePersistentVolumeClaimUpdate(const PersistentVolumeClaim& now,
                                                const PersistentVolumeClaim& before);

}  // namespace plimsoll::api
