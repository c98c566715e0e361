#include "base/random.h"

#include <algorithm>
#include <array>
#include <limits>
#include <random>
#include <vector>

#include "gtest/gtest.h"

namespace plimsoll {
namespace {

static_assert(std::uniform_random_bit_generator<Random>);

std::vector<std::uint64_t> Draw(Random random, int count) {
  std::vector<std::uint64_t> numbers;
  for (int i = 0; i < count; ++i) numbers.push_back(random.Next());
  return numbers;
}

TEST(RandomTest, TheSeedAloneDecides) {
  // Recorded values: if they change, all recorded seeds become useless.
  EXPECT_EQ(Draw(Random(42), 3),
            (std::vector<std::uint64_t>{1546998764402558742ull, 6990951692964543102ull,
                                        12544586762248559009ull}));
  EXPECT_NE(Draw(Random(42), 3), Draw(Random(43), 3));
}

TEST(RandomTest, BelowReachesEveryNumberAboutAsOften) {
  Random random(1);
  std::array<int, 7> seen{};
  for (int i = 0; i < 70'000; ++i) ++seen.at(random.Below(seen.size()));
  for (const int count : seen) EXPECT_NEAR(count, 10'000, 400);
}

TEST(RandomTest, BetweenIncludesBothEnds) {
  Random random(2);
  std::array<bool, 3> seen{};
  for (int i = 0; i < 100; ++i) seen.at(static_cast<std::size_t>(random.Between(-1, 1) + 1)) = true;
  EXPECT_EQ(seen, (std::array{true, true, true}));
  EXPECT_EQ(random.Between(5, 5), 5);
  random.Between(std::numeric_limits<std::int64_t>::min(),
                 std::numeric_limits<std::int64_t>::max());
}

TEST(RandomTest, ChanceKnowsNeverAndAlways) {
  Random random(3);
  int hits = 0;
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(random.Chance(0));
    EXPECT_TRUE(random.Chance(1));
    hits += random.Chance(0.25) ? 1 : 0;
  }
  EXPECT_NEAR(hits, 250, 60);
}

TEST(RandomTest, ShuffleKeepsTheItems) {
  Random random(4);
  std::vector<int> items{1, 2, 3, 4, 5, 6, 7, 8};
  const std::vector<int> sorted = items;
  random.Shuffle(std::span(items));
  EXPECT_NE(items, sorted);
  EXPECT_TRUE(std::ranges::is_permutation(items, sorted));
}

TEST(RandomTest, AForkGoesItsOwnWay) {
  Random a(5);
  Random b(5);
  Random fork_a = a.Fork();
  Random fork_b = b.Fork();
  a.Next();
  EXPECT_EQ(fork_a.Next(), fork_b.Next());
  EXPECT_NE(Draw(fork_a, 3), Draw(a, 3));
}

TEST(UnpredictableSeedTest, IsAnotherEachTime) {
  EXPECT_NE(UnpredictableSeed(), UnpredictableSeed());
}

}  // namespace
}  // namespace plimsoll
