#pragma once

#include <optional>
#include <span>
#include <vector>

#include "api/core/toleration.h"
#include "api/resource/device_taint.h"
#include "base/time.h"
#include "dra/slice_tracker.h"
#include "match/stay_rules.h"

/// Time until which a toleration tolerates a device taint. Eviction and allocation share it: the
/// scheduler allocates no device from which the pod would be evicted at once.
namespace plimsoll::dra {

/// Returns the taint's `timeAdded`. Without one, a rule's taint counts from the rule's creation,
/// and a driver's taint counts as older than every pod.
Instant TimeAdded(const DeviceTaintSource& source);

/// Returns when a NoExecute taint of a device ends the stay of the pods that have the device;
/// nothing: never. The time runs from when the taint was added, and of all tolerations that cover
/// it the least `tolerationSeconds` count: without any it ends at once, and one that sets none
/// covers it for ever. An end that no Instant can hold never comes.
std::optional<Instant> EvictionTime(const api::DeviceTaint& taint, Instant added,
                                    std::span<const api::Toleration> tolerations,
                                    const match::StayRules& rules);

/// Returns until when the tolerations let a device with the taint be allocated or reserved:
/// Instant::max() is for ever, Instant::min() not at all. `tolerationSeconds` count for NoExecute
/// alone, in the way of EvictionTime. The grace of a crossed threshold is for pods that have the
/// device, not for new ones.
Instant ToleratedUntil(const api::DeviceTaint& taint, Instant added,
                       std::span<const api::Toleration> tolerations, const match::StayRules& rules);

/// Returns all taints of the device that keep it from being allocated or reserved at `now`.
std::vector<const DeviceTaintSource*> FindAllUntolerated(
    const TrackedDevice& device, std::span<const api::Toleration> tolerations,
    const match::StayRules& rules, Instant now);

/// Returns the first of them, or null.
const DeviceTaintSource* FindUntolerated(const TrackedDevice& device,
                                         std::span<const api::Toleration> tolerations,
                                         const match::StayRules& rules, Instant now);

}  // namespace plimsoll::dra
