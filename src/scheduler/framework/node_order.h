#pragma once

#include <vector>

#include "scheduler/cluster/cluster_state.h"

namespace plimsoll::scheduler {

/// The nodes in the order in which a sample is taken: one of each zone in turn, so that a few nodes
/// in a row stand for the whole cluster.
class NodeOrder {
 public:
  /// The cluster must outlive it.
  explicit NodeOrder(const ClusterState& cluster) : cluster_(cluster) {}

  /// As the cluster is now. Good until the next call.
  const std::vector<NodeSlot>& Get();

 private:
  bool IsCurrent() const;

  const ClusterState& cluster_;
  Journal::Position position_ = 0;
  std::vector<NodeSlot> order_;
};

}  // namespace plimsoll::scheduler
