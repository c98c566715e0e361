#pragma once

#include <vector>

#include "scheduler/cluster/cluster_state.h"

namespace plimsoll::scheduler {

/// Order of nodes for sampling: one node of each zone in turn, so that a few consecutive nodes
/// represent the whole cluster.
class NodeOrder {
 public:
  /// REQUIRES: `cluster` outlives this object.
  explicit NodeOrder(const ClusterState& cluster) : cluster_(cluster) {}

  /// Returns the order for the current cluster. Valid until the next call.
  const std::vector<NodeSlot>& Get();

 private:
  bool IsCurrent() const;

  const ClusterState& cluster_;
  Journal::Position position_ = 0;
  std::vector<NodeSlot> order_;
};

}  // namespace plimsoll::scheduler
