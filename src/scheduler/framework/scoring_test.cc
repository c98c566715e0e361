#include "scheduler/framework/scoring.h"

#include <gtest/gtest.h>

#include <array>

namespace plimsoll::scheduler {
namespace {

TEST(ScoringTest, NormalizesInUpstreamsWay) {
  EXPECT_EQ(Normalized(Normalization::Highest, 2, 3), 66);
  EXPECT_EQ(Normalized(Normalization::Highest, 0, 0), 0);
  EXPECT_EQ(Normalized(Normalization::Lowest, 2, 3), 34);
  EXPECT_EQ(Normalized(Normalization::Lowest, 0, 0), 100);
  EXPECT_EQ(Normalized(Normalization::None, 42, 50), 42);
}

TEST(ScoringTest, PicksAmongTheHighestOfTheNodesGiven) {
  Bitmap nodes(4);
  for (const std::size_t i : {0UL, 1UL, 3UL}) nodes.Set(i);
  const std::array<std::int64_t, 4> totals = {7, 5, 9, 7};
  EXPECT_EQ(HighestOf(nodes, totals), 7);
  Random random(1);
  int firsts = 0;
  for (int i = 0; i < 1'000; ++i) {
    const NodeSlot slot = PickBest(nodes, totals, random);
    EXPECT_TRUE(slot == 0 || slot == 3);
    firsts += slot == 0 ? 1 : 0;
  }
  EXPECT_NEAR(firsts, 500, 80);
}

TEST(ScoringTest, WantsAShareOfManyNodes) {
  struct Case {
    std::size_t nodes;
    int percentage;
    std::size_t want;
  };
  for (const Case& test :
       {Case{99, 10, 99}, Case{5'000, 100, 5'000}, Case{200, 10, 100}, Case{5'000, 30, 1'500},
        Case{1'000, 0, 420}, Case{6'000, 0, 300}, Case{100'000, 0, 5'000}}) {
    EXPECT_EQ(FeasibleNodesWanted(test.nodes, test.percentage), test.want) << test.nodes;
  }
}

}  // namespace
}  // namespace plimsoll::scheduler
