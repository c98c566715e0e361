#include "scheduler/plugins/resource_score.h"

#include <gtest/gtest.h>

#include <array>

namespace plimsoll::scheduler {
namespace {

using Kind = ScoredResource::Kind;

/// Returns a node with these amounts of CPU (millicores) and memory, in total and taken.
NodeRow Row(std::int64_t cpu, std::int64_t cpu_taken, std::int64_t memory,
            std::int64_t memory_taken) {
  NodeRow row;
  row.allocatable.resources.milli_cpu = cpu;
  row.allocatable.resources.memory = memory;
  row.requested.milli_cpu = row.scored_milli_cpu = cpu_taken;
  row.requested.memory = row.scored_memory = memory_taken;
  return row;
}

std::array<ScoredResource, 2> Asking(std::int64_t cpu, std::int64_t memory,
                                     std::int64_t cpu_weight = 1) {
  return {ScoredResource{Kind::Cpu, Interner::kNone, cpu_weight, cpu},
          ScoredResource{Kind::Memory, Interner::kNone, 1, memory}};
}

struct ScoreCase {
  NodeRow row;
  std::array<ScoredResource, 2> resources;
  std::int64_t least;
  std::int64_t most;
  std::int64_t balance;
};

class ResourceScoreTest : public testing::TestWithParam<ScoreCase> {};

TEST_P(ResourceScoreTest, GivesUpstreamsNumbers) {
  const ScoreCase& test = GetParam();
  EXPECT_EQ(ScoreLeastAllocated(test.resources, test.row), test.least);
  EXPECT_EQ(ScoreMostAllocated(test.resources, test.row), test.most);
  EXPECT_EQ(ScoreBalance(test.resources, test.row), test.balance);
}

INSTANTIATE_TEST_SUITE_P(All, ResourceScoreTest,
                         testing::ValuesIn<ScoreCase>({
                             // Equal fractions before and after.
                             {Row(4000, 0, 4000, 0), Asking(1000, 1000), 75, 25, 75},
                             // Becomes uneven: 1/4 against 1/2.
                             {Row(4000, 0, 4000, 0), Asking(1000, 2000), 62, 37, 68},
                             // Becomes even.
                             {Row(4000, 0, 4000, 2000), Asking(2000, 0), 50, 50, 87},
                             // More than the capacity counts as the capacity.
                             {Row(1000, 0, 4000, 0), Asking(2000, 1000), 37, 62, 56},
                             // A resource that the node does not have is ignored.
                             {Row(4000, 0, 0, 0), Asking(1000, 1000), 75, 25, 75},
                             {Row(0, 0, 0, 0), Asking(1000, 1000), 0, 0, 75},
                             // Weights.
                             {Row(4000, 0, 4000, 0), Asking(1000, 3000, 3), 62, 37, 62},
                         }));

TEST(ScoredResourceTest, AScalarCountsOnlyWhenThePodAsksForIt) {
  NodeRow row;
  row.allocatable.resources.SetScalar(3, 8);
  row.requested.SetScalar(3, 2);
  const ScoredResource asked{Kind::Scalar, 3, 1, 2};
  const ScoredResource not_asked{Kind::Scalar, 3, 1, 0};
  EXPECT_EQ(asked.Capacity(row), 8);
  EXPECT_EQ(asked.Taken(row), 2);
  EXPECT_EQ(not_asked.Capacity(row), 0);
  EXPECT_EQ(ScoreLeastAllocated({{asked}}, row), 50);
  EXPECT_EQ(ScoreLeastAllocated({{not_asked}}, row), 0);
}

TEST(ScoreBalanceTest, TakesTheDeviationOfMoreThanTwoResources) {
  NodeRow row = Row(1000, 0, 1000, 0);
  row.allocatable.resources.ephemeral_storage = 1000;
  const std::array<ScoredResource, 3> resources = {
      ScoredResource{Kind::Cpu, Interner::kNone, 1, 500},
      ScoredResource{Kind::Memory, Interner::kNone, 1, 500},
      ScoredResource{Kind::EphemeralStorage, Interner::kNone, 1, 0}};
  // Fractions 0.5, 0.5, 0: deviation 0.2357, 76 after and 100 before.
  EXPECT_EQ(ScoreBalance(resources, row), 63);
}

TEST(ScoreBalanceTest, AnyNumberOfResourcesWillDo) {
  const NodeRow row = Row(1000, 0, 1000, 0);
  std::vector<ScoredResource> resources(20, {Kind::Cpu, Interner::kNone, 1, 500});
  EXPECT_EQ(ScoreBalance(resources, row), 75);
}

struct HeightCase {
  std::int64_t utilization;
  std::int64_t want;
};

class HeightAtTest : public testing::TestWithParam<HeightCase> {};

TEST_P(HeightAtTest, FollowsTheBrokenLine) {
  const std::vector<ShapePoint> shape = {{10, 20}, {50, 100}, {70, 0}};
  EXPECT_EQ(HeightAt(shape, GetParam().utilization), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, HeightAtTest,
                         testing::ValuesIn<HeightCase>(
                             {{0, 20}, {10, 20}, {30, 60}, {50, 100}, {60, 50}, {70, 0}, {99, 0}}));

TEST(ScoreCapacityRatioTest, LeavesOutResourcesThatScoreNothing) {
  const std::vector<ShapePoint> shape = {{0, 0}, {100, 100}};
  EXPECT_EQ(ScoreCapacityRatio(Asking(2000, 0), Row(4000, 0, 4000, 0), shape), 50);
  EXPECT_EQ(ScoreCapacityRatio(Asking(2000, 1000), Row(4000, 0, 4000, 0), shape), 38);
  EXPECT_EQ(ScoreCapacityRatio(Asking(2000, 1000), Row(1000, 0, 1000, 0), shape), 100);
  EXPECT_EQ(ScoreCapacityRatio(Asking(0, 0), Row(4000, 0, 4000, 0), shape), 0);
}

}  // namespace
}  // namespace plimsoll::scheduler
