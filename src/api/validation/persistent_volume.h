#pragma once

#include "api/core/persistent_volume.h"
#include "api/field_error.h"
#include "api/validation/context.h"

namespace plimsoll::api {

/// Returns all errors of a volume, in upstream's order.
FieldErrors ValidatePersistentVolumeCreate(const PersistentVolume& volume,
                                           const ValidationContext& context);

/// Also reports changes of the source and the mode. Without the gate MutablePVNodeAffinity, the
/// node affinity is immutable once set.
FieldErrors ValidatePersistentVolumeUpdate(const PersistentVolume& now,
                                           const PersistentVolume& before,
                                           const ValidationContext& context);

}  // namespace plimsoll::api
