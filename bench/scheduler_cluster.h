#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "api/core/node.h"
#include "scheduler/cluster/pod_class.h"

namespace plimsoll::bench {

/// The cluster that placement of pods is measured on. Every node has a numeric taint; some have a
/// version and a team as taints too, if asked for. Everything is a function of the number of the
/// node, and nodes are made one at a time.
class SchedulerCluster {
 public:
  enum class Taints { Numeric, Mixed };

  explicit SchedulerCluster(Taints taints) : taints_(taints) {}

  /// Good until the next call. `revision` changes the value of the numeric taint.
  const api::Node& Node(std::size_t i, std::uint64_t revision = 0);

 private:
  Taints taints_;
  std::deque<std::string> texts_;
  api::Node node_;
};

/// What the pods of a load are made from.
enum class PodKind {
  Threshold,     // one template: an `Lt` toleration and requests
  Templates,     // a thousand templates that mix operators, expressions and node affinity
  Spread,        // at most one more pod in a zone than in any other
  AntiAffinity,  // no two on a node
};

/// `count` pods, decoded.
std::vector<scheduler::ObjectPtr> MakePods(PodKind kind, std::size_t count);

}  // namespace plimsoll::bench
