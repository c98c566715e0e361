#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/time.h"
#include "controller/workload/owned_pods.h"

namespace plimsoll::controller {

/// A pod with the number of related pods on its node: where many stand together, one can go.
struct RankedPod {
  const OwnedPod* pod = nullptr;
  std::int64_t rank = 0;
};

/// Puts the pods into the order in which they are to go, as upstream's ActivePodsWithRanks: not
/// yet placed before placed, pending before running, not ready before ready, cheap before dear
/// (annotation controller.kubernetes.io/pod-deletion-cost), crowded before lonely, young before
/// old, often restarted before steady. Ages are compared by order of magnitude, so that it is not
/// always the newest that goes.
void SortForDeletion(std::vector<RankedPod>& pods, Instant now);

}  // namespace plimsoll::controller
