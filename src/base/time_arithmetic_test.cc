#include "base/time_arithmetic.h"

#include <gtest/gtest.h>

#include <limits>

namespace plimsoll {
namespace {

using namespace std::chrono_literals;

constexpr Instant kNoon{1'772'366'400s};
constexpr std::int64_t kMax = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMin = std::numeric_limits<std::int64_t>::min();

TEST(TimeArithmeticTest, SecondsSaturate) {
  EXPECT_EQ(SaturatingSeconds(0), 0s);
  EXPECT_EQ(SaturatingSeconds(-5), -5s);
  EXPECT_EQ(SaturatingSeconds(9'223'372'036), 9'223'372'036s);
  EXPECT_EQ(SaturatingSeconds(9'223'372'037), Duration::max());
  EXPECT_EQ(SaturatingSeconds(10'000'000'000), Duration::max());
  EXPECT_EQ(SaturatingSeconds(18'446'744'074), Duration::max()) << "2^64 ns are not a little time";
  EXPECT_EQ(SaturatingSeconds(kMax), Duration::max());
  EXPECT_EQ(SaturatingSeconds(-9'223'372'036), -9'223'372'036s);
  EXPECT_EQ(SaturatingSeconds(-9'223'372'037), Duration::min());
  EXPECT_EQ(SaturatingSeconds(kMin), Duration::min());
}

TEST(TimeArithmeticTest, SumsSaturate) {
  EXPECT_EQ(SaturatingAdd(kNoon, 3s), kNoon + 3s);
  EXPECT_EQ(SaturatingAdd(kNoon, -3s), kNoon - 3s);
  EXPECT_EQ(SaturatingAdd(kNoon, Duration::max()), Instant::max());
  EXPECT_EQ(SaturatingAdd(Instant::max(), 1ns), Instant::max());
  EXPECT_EQ(SaturatingAdd(Instant::max(), 0ns), Instant::max());
  EXPECT_EQ(SaturatingAdd(Instant::min(), -1ns), Instant::min());
  EXPECT_EQ(SaturatingAdd(-(kNoon.time_since_epoch()) + Instant{}, Duration::min()),
            Instant::min());
}

TEST(TimeArithmeticTest, DifferencesSaturate) {
  EXPECT_EQ(TimeBetween(kNoon, kNoon + 3s), 3s);
  EXPECT_EQ(TimeBetween(kNoon + 3s, kNoon), -3s);
  EXPECT_EQ(TimeBetween(Instant::min(), kNoon), Duration::max());
  EXPECT_EQ(TimeBetween(kNoon, Instant::min()), Duration::min());
}

TEST(TimeArithmeticTest, RoundsUpToTheNextWholeSecond) {
  EXPECT_EQ(RoundUpToSecond(kNoon), kNoon);
  EXPECT_EQ(RoundUpToSecond(kNoon + 1ns), kNoon + 1s);
  EXPECT_EQ(RoundUpToSecond(kNoon + 999'999'999ns), kNoon + 1s);
  EXPECT_EQ(RoundUpToSecond(Instant(-1ns)), Instant{});
  EXPECT_EQ(RoundUpToSecond(Instant(-1s)), Instant(-1s));
  EXPECT_EQ(RoundUpToSecond(Instant::max()), Instant::max());
}

}  // namespace
}  // namespace plimsoll
