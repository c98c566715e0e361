#include "base/virtual_clock.h"

#include <chrono>
#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace plimsoll {
namespace {

using std::chrono::hours;
using std::chrono::seconds;

TEST(VirtualClockTest, StandsStillUntilTold) {
  const Instant start{seconds(7)};
  VirtualClock clock(start);
  EXPECT_EQ(clock.Now(), start);
  EXPECT_FALSE(clock.Step());
  EXPECT_EQ(clock.Now(), start);
}

TEST(VirtualClockTest, StepsFromTaskToTask) {
  VirtualClock clock;
  std::vector<Instant> seen;
  for (const int at : {9000, 3}) {
    clock.At(Instant(seconds(at)), [&] { seen.push_back(clock.Now()); });
  }
  EXPECT_EQ(clock.waiting(), 2u);
  while (clock.Step()) {
  }
  EXPECT_EQ(seen, (std::vector{Instant(seconds(3)), Instant(seconds(9000))}));
  EXPECT_EQ(clock.Now(), Instant(seconds(9000)));
}

TEST(VirtualClockTest, ATaskOfThePastRunsNow) {
  VirtualClock clock(Instant(hours(1)));
  clock.At(Instant(seconds(1)), [] {});
  EXPECT_TRUE(clock.Step());
  EXPECT_EQ(clock.Now(), Instant(hours(1)));
}

TEST(VirtualClockTest, RunsWhatTasksAddUntilTheTimeGivenAndNoFurther) {
  VirtualClock clock;
  int ticks = 0;
  std::function<void()> tick = [&] {
    ++ticks;
    clock.At(clock.Now() + seconds(10), tick);
  };
  clock.At(Instant(seconds(10)), tick);
  clock.Advance(seconds(30));
  EXPECT_EQ(ticks, 3);
  clock.Advance(seconds(9));
  EXPECT_EQ(ticks, 3);
  EXPECT_EQ(clock.Now(), Instant(seconds(39)));
  EXPECT_EQ(clock.waiting(), 1u);
}

TEST(VirtualClockDeathTest, NeverGoesBack) {
  VirtualClock clock(Instant(hours(1)));
  EXPECT_DEATH(clock.RunUntil(Instant(seconds(1))), "assertion failed");
}

}  // namespace
}  // namespace plimsoll
