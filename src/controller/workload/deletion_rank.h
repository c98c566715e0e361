#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/time.h"
#include "controller/workload/owned_pods.h"

namespace plimsoll::controller {

/// A pod and the number of related pods on its node.
struct RankedPod {
  const OwnedPod* pod = nullptr;
  std::int64_t rank = 0;
};

/// Sorts pods in the order of deletion, like upstream's ActivePodsWithRanks. Earlier is the pod
/// that is the first of:
///
///   - unscheduled, pending, not ready
///   - with a lower controller.kubernetes.io/pod-deletion-cost
///   - with more related pods on the node
///   - ready for a shorter time, restarted more often, younger
///
/// Ages are compared by order of magnitude, so that the youngest pod is not always deleted first.
void SortForDeletion(std::vector<RankedPod>& pods, Instant now);

}  // namespace plimsoll::controller
