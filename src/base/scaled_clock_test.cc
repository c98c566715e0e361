#include "base/scaled_clock.h"

#include <chrono>

#include "base/virtual_clock.h"
#include "gtest/gtest.h"

namespace plimsoll {
namespace {

using std::chrono::hours;
using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr Instant kStart{hours(1000)};

TEST(ScaledClockTest, RunsAheadFromWhereItBegan) {
  VirtualClock real(kStart);
  const ScaledClock clock(real, 60);
  EXPECT_EQ(clock.Now(), kStart);
  real.Advance(seconds(2));
  EXPECT_EQ(clock.Now(), kStart + seconds(120));
}

TEST(ScaledClockTest, RunsATaskWhenItsOwnTimeHasCome) {
  VirtualClock real(kStart);
  ScaledClock clock(real, 10);
  Instant seen;
  clock.At(kStart + seconds(30) + nanoseconds(1), [&] { seen = clock.Now(); });
  real.Advance(seconds(3));
  EXPECT_EQ(seen, Instant{}) << "before its time";
  real.Advance(nanoseconds(1));
  EXPECT_EQ(seen, kStart + seconds(30) + nanoseconds(10));
}

TEST(ScaledClockTest, RunsSoonWhatIsLongOver) {
  VirtualClock real(kStart);
  ScaledClock clock(real, 10);
  bool has_run = false;
  clock.At(Instant::min(), [&] { has_run = true; });
  EXPECT_FALSE(has_run);
  real.Advance(nanoseconds(1));
  EXPECT_TRUE(has_run);
}

}  // namespace
}  // namespace plimsoll
