#include "scheduler/framework/block_maxima.h"

#include <gtest/gtest.h>

#include <map>

namespace plimsoll::scheduler {
namespace {

TEST(BlockMaximaTest, PicksEachOfTheHighestEquallyOften) {
  BlockMaxima maxima;
  maxima.Reset(1'000);
  for (std::size_t i = 0; i < 1'000; ++i) maxima.Set(i, static_cast<std::int32_t>(i % 7));
  maxima.Set(3, 9);
  maxima.Set(700, 9);
  maxima.Set(701, 9);
  Random random(1);
  std::map<std::size_t, int> drawn;
  for (int i = 0; i < 3'000; ++i) ++drawn[maxima.Pick(random)];
  ASSERT_EQ(drawn.size(), 3U);
  for (const auto& [slot, count] : drawn) EXPECT_NEAR(count, 1'000, 100) << slot;
}

TEST(BlockMaximaTest, FindsWhatASearchFinds) {
  Random random(7);
  BlockMaxima maxima;
  std::vector<std::int32_t> plain(300, BlockMaxima::kNone);
  maxima.Reset(plain.size());
  Bitmap some(600);
  for (int step = 0; step < 5'000; ++step) {
    if (step == 2'500) {
      plain.resize(600, BlockMaxima::kNone);
      maxima.Grow(plain.size());
    }
    const std::size_t i = random.Below(plain.size());
    plain[i] = static_cast<std::int32_t>(random.Below(12)) - 1;
    maxima.Set(i, plain[i]);
    some.Assign(i, plain[i] >= 0 && random.Chance(0.5));
    ASSERT_EQ(maxima.Get(i), plain[i]);
    const std::int32_t highest = std::ranges::max(plain);
    if (highest < 0) continue;
    ASSERT_EQ(plain[maxima.Pick(random)], highest);
    if (!some.Any()) continue;
    std::int32_t highest_of_some = BlockMaxima::kNone;
    some.ForEach([&](std::size_t k) { highest_of_some = std::max(highest_of_some, plain[k]); });
    const std::size_t picked = maxima.PickAmong(some, random);
    ASSERT_TRUE(some.Test(picked));
    ASSERT_EQ(plain[picked], highest_of_some);
  }
}

TEST(BlockMaximaTest, IsAssignedAtOnce) {
  BlockMaxima maxima;
  maxima.Reset(10);
  maxima.Set(5, 50);
  Bitmap some(300);
  std::vector<std::int64_t> totals(300, 99);
  for (const std::size_t i : {7UL, 290UL}) {
    some.Set(i);
    totals[i] = static_cast<std::int64_t>(i) % 10;
  }
  maxima.Assign(300, some, totals);
  Random random(1);
  EXPECT_EQ(maxima.Get(5), BlockMaxima::kNone);
  EXPECT_EQ(maxima.Pick(random), 7U);
}

TEST(BlockMaximaTest, PicksAmongSomeEquallyOften) {
  BlockMaxima maxima;
  maxima.Reset(600);
  Bitmap some(600);
  for (const std::size_t i : {5UL, 300UL, 599UL}) {
    maxima.Set(i, 4);
    some.Set(i);
  }
  maxima.Set(10, 8);
  maxima.Set(11, 2);
  some.Set(11);
  Random random(3);
  std::map<std::size_t, int> drawn;
  for (int i = 0; i < 3'000; ++i) ++drawn[maxima.PickAmong(some, random)];
  ASSERT_EQ(drawn.size(), 3U);
  for (const auto& [slot, count] : drawn) EXPECT_NEAR(count, 1'000, 100) << slot;
}

}  // namespace
}  // namespace plimsoll::scheduler
