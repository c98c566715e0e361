#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "scheduler/cluster/cluster_state.h"
#include "scheduler/plugins/args.h"

/// How full nodes are, as numbers of 0 … 100: what the strategies of NodeResourcesFit and
/// NodeResourcesBalancedAllocation have in common.
namespace plimsoll::scheduler {

/// A resource that a score looks at, and how much of it the pod asks for.
struct ScoredResource {
  enum class Kind : std::uint8_t { Cpu, Memory, EphemeralStorage, Scalar };

  Kind kind = Kind::Scalar;
  ResourceId id = Interner::kNone;  // of Scalar
  std::int64_t weight = 1;
  std::int64_t request = 0;

  /// A node's amount counts as 0 when it has none, or when the pod does not ask for the scalar: the
  /// score then leaves the resource out.
  std::int64_t Capacity(const NodeRow& row) const;
  /// What is taken of it without the pod.
  std::int64_t Taken(const NodeRow& row) const;
  /// The same with stand-ins for containers that name no request.
  std::int64_t ScoredTaken(const NodeRow& row) const;
};

/// With what the pod asks for, or with stand-ins for containers that name no request.
std::vector<ScoredResource> ExactResources(std::span<const ResourceWeight> weights,
                                           const PodRequests& requests, ClusterState& cluster);
std::vector<ScoredResource> StandInResources(std::span<const ResourceWeight> weights,
                                             const PodRequests& requests, ClusterState& cluster);

/// The mean of the resources' scores after the pod has come, by their weights.
std::int64_t ScoreLeastAllocated(std::span<const ScoredResource> resources, const NodeRow& row);
std::int64_t ScoreMostAllocated(std::span<const ScoredResource> resources, const NodeRow& row);
/// `shape` is a broken line over the percentage that is taken, its scores 0 … 100.
std::int64_t ScoreCapacityRatio(std::span<const ScoredResource> resources, const NodeRow& row,
                                std::span<const ShapePoint> shape);

/// The height of the broken line at `utilization`.
std::int64_t HeightAt(std::span<const ShapePoint> shape, std::int64_t utilization);

/// 50 … 100: how much better balanced the node becomes by the pod.
std::int64_t ScoreBalance(std::span<const ScoredResource> resources, const NodeRow& row);

}  // namespace plimsoll::scheduler
