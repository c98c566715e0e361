#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "base/time.h"

/// Maxima of the controllers that bound memory, requests or waiting.
namespace plimsoll::controller {

// Requests.

/// Writes of the garbage collector that are in flight.
inline constexpr std::size_t kCollectorWritesMax = 500;
/// Finished pods that one status of a Job lists before it counts them, as in upstream.
inline constexpr std::size_t kUncountedPodsMax = 500;

// Objects.

/// Terminated pods that the pod garbage collector keeps, as in upstream.
inline constexpr std::size_t kTerminatedPodsMax = 12'500;
/// Pods that share a ResourceClaim, as in upstream's API.
inline constexpr std::size_t kClaimConsumersMax = 256;
/// Bytes of the annotation with the revisions of a ReplicaSet, as in upstream.
inline constexpr std::size_t kRevisionHistoryBytesMax = 2000;

// Back-off and waiting.

/// Back-off of a Job after failed pods, as in upstream.
inline constexpr Duration kJobBackOffMax = std::chrono::minutes(10);
/// Back-off of a DaemonSet on a node where its pods fail.
inline constexpr Duration kDaemonFailureWaitMax = std::chrono::minutes(15);
/// Back-off of a workload after failed creations and deletions of pods.
inline constexpr Duration kCreateWaitMax = std::chrono::seconds(1000);
/// Back-off of the volume binder after a failed write.
inline constexpr Duration kVolumeRetryMax = std::chrono::minutes(1);
/// Time that a Deployment or StatefulSet waits for the watch event of an object that it created.
/// Then it tries again.
inline constexpr Duration kCreationAwaitMax = std::chrono::seconds(30);

// Caches.

/// Cached decisions of lists of taints and tolerations that no pod uses.
inline constexpr std::size_t kStaleStaysMax = 256;

}  // namespace plimsoll::controller
