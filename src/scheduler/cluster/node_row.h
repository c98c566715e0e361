#pragma once

#include <cstdint>
#include <vector>

#include "api/core/node_features.h"
#include "scheduler/cluster/journal.h"
#include "scheduler/cluster/pod_class.h"
#include "scheduler/cluster/resources.h"

namespace plimsoll::scheduler {

/// A pod's place in the cluster's table: small, and reused after the pod is gone.
using PodId = Interner::Id;
inline constexpr PodId kNoPod = Interner::kNone;

/// What is counted of a node. A row can be copied and changed to ask what would be if.
struct NodeRow {
  Allocatable allocatable;
  Resources requested;
  std::int64_t scored_milli_cpu = 0;
  std::int64_t scored_memory = 0;
  std::vector<PodId> pods;       // bound and assumed ones
  std::vector<PodId> nominated;  // pods that preempted here and are not placed yet
  std::vector<HostPort> ports;   // of its pods; texts of their classes
  bool unschedulable = false;
  api::NodeFeatures declared_features = 0;

  void AddPod(PodId id, const PodClass& pod_class);
  /// The pod must be among `pods`.
  void RemovePod(PodId id, const PodClass& pod_class);
};

/// One node as a filter sees it: as it is, or a row that was changed to ask what would be if.
struct NodeView {
  NodeSlot slot = kNoNode;
  const NodeRow& row;
};

}  // namespace plimsoll::scheduler
