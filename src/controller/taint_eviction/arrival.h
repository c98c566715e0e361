#pragma once

#include "api/object.h"
#include "base/time.h"

namespace plimsoll::controller {

/// When the pod came to its node, as the object itself says: when it was scheduled, or, for one
/// that nobody scheduled, created. Long ago when it says neither.
Instant ArrivalOf(const api::Object& pod);

}  // namespace plimsoll::controller
