#include "store/periodic.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/virtual_clock.h"

namespace plimsoll::store {
namespace {

TEST(PeriodicTest, CallsAfterEveryIntervalUntilItsEnd) {
  VirtualClock clock;
  int calls = 0;
  {
    const Periodic periodic(clock, std::chrono::seconds(10), [&](Instant now) {
      ++calls;
      EXPECT_EQ(now, clock.Now());
    });
    clock.Advance(std::chrono::seconds(9));
    EXPECT_EQ(calls, 0);
    clock.Advance(std::chrono::seconds(21));
    EXPECT_EQ(calls, 3);
  }
  clock.Advance(std::chrono::hours(1));
  EXPECT_EQ(calls, 3);
  EXPECT_EQ(clock.waiting(), 0U);
}

}  // namespace
}  // namespace plimsoll::store
