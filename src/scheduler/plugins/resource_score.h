#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scheduler/cluster/cluster_state.h"
#include "scheduler/plugins/args.h"

/// Node utilization as scores of 0 … 100, shared by the strategies of NodeResourcesFit and by
/// NodeResourcesBalancedAllocation.
namespace plimsoll::scheduler {

/// A resource that is scored, and the amount that the pod requests.
struct ScoredResource {
  enum class Kind : std::uint8_t { Cpu, Memory, EphemeralStorage, Scalar };

  Kind kind = Kind::Scalar;
  ResourceId id = Interner::kNone;  // of a Scalar
  std::int64_t weight = 1;
  std::int64_t request = 0;

  /// Returns the node's amount. Returns 0 if it has none or if the pod does not request the scalar;
  /// the score then ignores the resource.
  std::int64_t Capacity(const NodeRow& row) const;
  /// Returns the amount that is taken without the pod.
  std::int64_t Taken(const NodeRow& row) const;
};

/// Resources with the pod's exact requests, or with default requests for containers without any.
std::vector<ScoredResource> ExactResources(std::span<const ResourceWeight> weights,
                                           const PodRequests& requests, ClusterState& cluster);
std::vector<ScoredResource> StandInResources(std::span<const ResourceWeight> weights,
                                             const PodRequests& requests, ClusterState& cluster);

/// Returns the weighted mean of the resources' scores after adding the pod.
std::int64_t ScoreLeastAllocated(std::span<const ScoredResource> resources, const NodeRow& row);
std::int64_t ScoreMostAllocated(std::span<const ScoredResource> resources, const NodeRow& row);
/// `shape` is a polyline over the utilization in percent, with scores of 0 … 100.
std::int64_t ScoreCapacityRatio(std::span<const ScoredResource> resources, const NodeRow& row,
                                std::span<const ShapePoint> shape);

/// Returns the value of the polyline at `utilization`.
std::int64_t HeightAt(std::span<const ShapePoint> shape, std::int64_t utilization);

/// Returns 50 … 100: how much better balanced the node becomes with the pod.
std::int64_t ScoreBalance(std::span<const ScoredResource> resources, const NodeRow& row);

}  // namespace plimsoll::scheduler
