#include "scheduler/plugins/resource_score.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace plimsoll::scheduler {
namespace {

constexpr std::int64_t kScoreMax = 100;

using Kind = ScoredResource::Kind;

Kind KindOf(std::string_view name) {
  if (name == "cpu") return Kind::Cpu;
  if (name == "memory") return Kind::Memory;
  if (name == "ephemeral-storage") return Kind::EphemeralStorage;
  return Kind::Scalar;
}

std::int64_t AmountOf(const ScoredResource& resource, const Resources& resources) {
  switch (resource.kind) {
    case Kind::Cpu:
      return resources.milli_cpu;
    case Kind::Memory:
      return resources.memory;
    case Kind::EphemeralStorage:
      return resources.ephemeral_storage;
    case Kind::Scalar:
      return resources.scalar(resource.id);
  }
  return 0;
}

/// Returns the amount that is taken without the pod, with default requests for containers that have
/// none.
std::int64_t ScoredTaken(const ScoredResource& resource, const NodeRow& row) {
  if (resource.kind == Kind::Cpu) return row.scored_milli_cpu;
  if (resource.kind == Kind::Memory) return row.scored_memory;
  return resource.Taken(row);
}

/// Returns the weighted mean of `score(taken, capacity)` over the resources that the node has.
template <class Score>
std::int64_t WeightedMean(std::span<const ScoredResource> resources, const NodeRow& row,
                          Score&& score) {
  std::int64_t sum = 0;
  std::int64_t weights = 0;
  for (const ScoredResource& resource : resources) {
    const std::int64_t capacity = resource.Capacity(row);
    if (capacity == 0) continue;
    sum += resource.weight * score(ScoredTaken(resource, row) + resource.request, capacity);
    weights += resource.weight;
  }
  return weights == 0 ? 0 : sum / weights;
}

/// Returns 100 for equal fractions, and less the more they differ.
std::int64_t Evenness(std::span<const double> fractions) {
  double deviation = 0;
  if (fractions.size() == 2) {
    deviation = std::abs((fractions[0] - fractions[1]) / 2);
  } else if (fractions.size() > 2) {
    double total = 0;
    for (const double fraction : fractions) total += fraction;
    const double mean = total / static_cast<double>(fractions.size());
    double squares = 0;
    for (const double fraction : fractions) squares += (fraction - mean) * (fraction - mean);
    deviation = std::sqrt(squares / static_cast<double>(fractions.size()));
  }
  return static_cast<std::int64_t>((1 - deviation) * static_cast<double>(kScoreMax));
}

double Fraction(std::int64_t taken, std::int64_t capacity) {
  return std::min(1.0, static_cast<double>(taken) / static_cast<double>(capacity));
}

}  // namespace

std::int64_t ScoredResource::Capacity(const NodeRow& row) const {
  if (kind == Kind::Scalar && request == 0) return 0;
  return AmountOf(*this, row.allocatable.resources);
}

std::int64_t ScoredResource::Taken(const NodeRow& row) const {
  return AmountOf(*this, row.requested);
}

std::vector<ScoredResource> ExactResources(std::span<const ResourceWeight> weights,
                                           const PodRequests& requests, ClusterState& cluster) {
  std::vector<ScoredResource> resources;
  for (const ResourceWeight& one : weights) {
    ScoredResource& resource = resources.emplace_back();
    resource.kind = KindOf(one.name);
    resource.weight = one.weight;
    if (resource.kind == Kind::Scalar) resource.id = cluster.resource_id(one.name);
    resource.request = AmountOf(resource, requests.exact);
  }
  return resources;
}

std::vector<ScoredResource> StandInResources(std::span<const ResourceWeight> weights,
                                             const PodRequests& requests, ClusterState& cluster) {
  std::vector<ScoredResource> resources = ExactResources(weights, requests, cluster);
  for (ScoredResource& resource : resources) {
    if (resource.kind == Kind::Cpu) resource.request = requests.incoming_milli_cpu;
    if (resource.kind == Kind::Memory) resource.request = requests.incoming_memory;
  }
  return resources;
}

std::int64_t ScoreLeastAllocated(std::span<const ScoredResource> resources, const NodeRow& row) {
  return WeightedMean(resources, row, [](std::int64_t taken, std::int64_t capacity) {
    return taken > capacity ? 0 : (capacity - taken) * kScoreMax / capacity;
  });
}

std::int64_t ScoreMostAllocated(std::span<const ScoredResource> resources, const NodeRow& row) {
  return WeightedMean(resources, row, [](std::int64_t taken, std::int64_t capacity) {
    // With default requests, more than the capacity may be taken.
    return std::min(taken, capacity) * kScoreMax / capacity;
  });
}

std::int64_t HeightAt(std::span<const ShapePoint> shape, std::int64_t utilization) {
  const auto right = std::ranges::find_if(
      shape, [&](const ShapePoint& point) { return utilization <= point.utilization; });
  if (right == shape.end()) return shape.back().score;
  if (right == shape.begin()) return right->score;
  const auto left = std::prev(right);
  return left->score + (right->score - left->score) * (utilization - left->utilization) /
                           (right->utilization - left->utilization);
}

std::int64_t ScoreCapacityRatio(std::span<const ScoredResource> resources, const NodeRow& row,
                                std::span<const ShapePoint> shape) {
  std::int64_t sum = 0;
  std::int64_t weights = 0;
  for (const ScoredResource& resource : resources) {
    const std::int64_t capacity = resource.Capacity(row);
    if (capacity == 0) continue;
    const std::int64_t taken = ScoredTaken(resource, row) + resource.request;
    const std::int64_t score =
        HeightAt(shape, taken > capacity ? kScoreMax : taken * kScoreMax / capacity);
    // A resource that scores 0 does not lower the mean.
    if (score <= 0) continue;
    sum += score * resource.weight;
    weights += resource.weight;
  }
  if (weights == 0) return 0;
  return std::llround(static_cast<double>(sum) / static_cast<double>(weights));
}

std::int64_t ScoreBalance(std::span<const ScoredResource> resources, const NodeRow& row) {
  // Two resources are usual; a profile may list more.
  constexpr std::size_t kFew = 8;
  std::array<double, kFew> few_before;
  std::array<double, kFew> few_after;
  std::vector<double> many;
  double* before = few_before.data();
  double* after = few_after.data();
  if (resources.size() > kFew) {
    many.resize(2 * resources.size());
    before = many.data();
    after = many.data() + resources.size();
  }
  std::size_t count = 0;
  for (const ScoredResource& resource : resources) {
    const std::int64_t capacity = resource.Capacity(row);
    if (capacity == 0) continue;
    const std::int64_t taken = resource.Taken(row);
    before[count] = Fraction(taken, capacity);
    after[count] = Fraction(taken + resource.request, capacity);
    ++count;
  }
  return 50 + (50 + Evenness({after, count}) - Evenness({before, count})) / 2;
}

}  // namespace plimsoll::scheduler
