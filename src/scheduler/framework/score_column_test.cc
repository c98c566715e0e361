#include "scheduler/framework/score_column.h"

#include <gtest/gtest.h>

namespace plimsoll::scheduler {
namespace {

TEST(TallyTest, KnowsTheHighestOfWhatIsThere) {
  ScoreTally tally;
  EXPECT_EQ(tally.highest(), 0);
  tally.Add(3);
  tally.Add(7, 2);
  tally.Add(9, 0);
  EXPECT_EQ(tally.highest(), 7);
  tally.Remove(7);
  EXPECT_EQ(tally.highest(), 7);
  tally.Remove(7);
  EXPECT_EQ(tally.highest(), 3);
  tally.Remove(3);
  tally.Add(-2);
  EXPECT_EQ(tally.highest(), 0);
}

TEST(ScoreColumnTest, WidensWhenAValueAsksForIt) {
  ScoreColumn column;
  column.Reset(4);
  column.Set(1, 0);
  EXPECT_TRUE(column.is_zero());
  EXPECT_EQ(column.Get(3), 0);
  column.Set(1, 200);
  column.Set(2, 255);
  EXPECT_EQ(column.Get(1), 200);
  column.Set(3, -5);
  column.Set(0, 70'000);
  EXPECT_EQ(column.Get(0), 70'000);
  EXPECT_EQ(column.Get(1), 200);
  EXPECT_EQ(column.Get(2), 255);
  EXPECT_EQ(column.Get(3), -5);
  column.Grow(6);
  EXPECT_EQ(column.Get(5), 0);
  column.Set(5, 1);
  EXPECT_EQ(column.Get(5), 1);
}

TEST(ScoreColumnTest, StartsWideForAWideValue) {
  ScoreColumn column;
  column.Reset(2);
  column.Set(0, 256);
  EXPECT_EQ(column.Get(0), 256);
  EXPECT_EQ(column.Get(1), 0);
  column.Reset(2);
  EXPECT_TRUE(column.is_zero());
}

}  // namespace
}  // namespace plimsoll::scheduler
