#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "api/core/toleration.h"
#include "api/resource/device_taint.h"
#include "base/time.h"
#include "dra/slice_tracker.h"
#include "match/toleration_time_rules.h"

/// Time until which a toleration tolerates a device taint. Eviction and allocation share it: the
/// scheduler allocates no device from which the pod would be evicted at once.
namespace plimsoll::dra {

/// Returns the taint's `timeAdded`. Without one, a rule's taint counts from the rule's creation,
/// and a driver's taint counts as older than every pod.
Instant TimeAdded(const DeviceTaintSource& source);

/// Rate of a NoExecute taint that sets none.
inline constexpr std::int64_t kEvictionsPerSecondDefault = 10;

/// Returns how many pods a NoExecute taint evicts per second.
inline std::int64_t EvictionRate(const api::DeviceTaint& taint) {
  return taint.evictions_per_second.value_or(kEvictionsPerSecondDefault);
}

/// Returns when a NoExecute taint evicts the pods that use the device, or nothing if never. The
/// time counts from `added`. The least `tolerationSeconds` of all matching tolerations applies.
/// Without a matching toleration the pods are evicted at once; one without seconds means never. An
/// end beyond the range of Instant means never.
std::optional<Instant> EvictionTime(const api::DeviceTaint& taint, Instant added,
                                    std::span<const api::Toleration> tolerations,
                                    const match::TolerationTimeRules& rules);

/// Returns until when the tolerations permit to allocate or reserve a device with this taint.
/// Instant::max(): for ever. Instant::min(): never. `tolerationSeconds` count only for NoExecute,
/// as in EvictionTime. The grace after a crossed threshold is only for pods that have the device
/// already.
Instant ToleratedUntil(const api::DeviceTaint& taint, Instant added,
                       std::span<const api::Toleration> tolerations,
                       const match::TolerationTimeRules& rules);

/// Returns all taints that prevent allocating or reserving the device at `now`.
std::vector<const DeviceTaintSource*> FindAllUntolerated(
    const TrackedDevice& device, std::span<const api::Toleration> tolerations,
    const match::TolerationTimeRules& rules, Instant now);

/// Returns the first of these taints, or null.
const DeviceTaintSource* FindUntolerated(const TrackedDevice& device,
                                         std::span<const api::Toleration> tolerations,
                                         const match::TolerationTimeRules& rules, Instant now);

}  // namespace plimsoll::dra
