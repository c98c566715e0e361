#pragma once

#include <optional>
#include <span>

#include "api/core/toleration.h"
#include "api/resource/device_taint.h"
#include "base/time.h"
#include "controller/taint_eviction/stay.h"

namespace plimsoll::controller {

/// When a NoExecute taint of a device ends the stay of the pods that have the device; nothing:
/// never. The time runs from when the taint was added, and of all tolerations that cover it the
/// least `tolerationSeconds` count: without any it ends at once, and one that sets none covers it
/// for ever. Seconds that overflow Go's time.Duration end it as upstream has it: mostly at once.
std::optional<Instant> EvictionTime(const api::DeviceTaint& taint, Instant added,
                                    std::span<const api::Toleration> tolerations,
                                    const StayRules& rules);

}  // namespace plimsoll::controller
