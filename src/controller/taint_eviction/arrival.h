#pragma once

#include "api/object.h"
#include "base/time.h"

namespace plimsoll::controller {

/// Returns when the pod was scheduled, or created if it was bound without a scheduler. Returns
/// Instant::min() if the object has neither time.
Instant ArrivalOf(const api::Object& pod);

}  // namespace plimsoll::controller
