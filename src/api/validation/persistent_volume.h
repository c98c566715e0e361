#pragma once

#include "api/core/persistent_volume.h"
#include "api/field_error.h"
#include "api/validation/context.h"

namespace plimsoll::api {

/// All faults of a volume, in upstream's order.
FieldErrors ValidatePersistentVolumeCreate(const PersistentVolume& volume,
                                           const ValidationContext& context);

/// Also what may not change: the source, the mode, and, unless the gate MutablePVNodeAffinity is
/// on, the node affinity once it is set.
FieldErrors ValidatePersistentVolumeUpdate(const PersistentVolume& now,
                                           const PersistentVolume& before,
                                           const ValidationContext& context);

}  // namespace plimsoll::api
