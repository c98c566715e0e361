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

/// Sorts pods in the order of deletion, like upstream's ActivePodsWithRanks: unscheduled first,
/// then pending, not ready, with lower controller.kubernetes.io/pod-deletion-cost, with more
/// related pods on the node, ready for a shorter time, restarted more often, and younger. Ages
/// are compared by order of magnitude, so that it is not always the youngest pod that is
/// deleted.
void SortForDeletion(std::vector<RankedPod>& pods, Instant now);

}  // namespace plimsoll::controller
