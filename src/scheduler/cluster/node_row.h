#pragma once

#include <cstdint>
#include <vector>

#include "api/core/node_features.h"
#include "scheduler/cluster/journal.h"
#include "scheduler/cluster/pod_class.h"
#include "scheduler/cluster/resources.h"

namespace plimsoll::scheduler {

/// Index of a pod in the cluster's table. Small, and reused after the pod is deleted.
using PodId = Interner::Id;
inline constexpr PodId kNoPod = Interner::kNone;

/// Aggregated state of a node. Rows can be copied and changed for what-if queries.
struct NodeRow {
  Allocatable allocatable;
  Resources requested;
  std::int64_t scored_milli_cpu = 0;
  std::int64_t scored_memory = 0;
  std::vector<PodId> pods;       // bound and assumed
  std::vector<PodId> nominated;  // pods nominated to this node, not placed yet
  std::vector<HostPort> ports;   // of its pods; the texts belong to their classes
  bool unschedulable = false;
  api::NodeFeatures declared_features = 0;

  void AddPod(PodId id, const PodClass& pod_class);
  /// REQUIRES: the pod is in `pods`.
  void RemovePod(PodId id, const PodClass& pod_class);
};

/// One node as a filter sees it: the real row, or one that was changed for a what-if query.
struct NodeView {
  NodeSlot slot = kNoNode;
  const NodeRow& row;
};

}  // namespace plimsoll::scheduler
