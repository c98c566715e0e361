#include "base/periodic.h"

#include <gtest/gtest.h>

#include <chrono>
#include <semaphore>
#include <vector>

#include "base/virtual_clock.h"

namespace plimsoll {
namespace {

constexpr Duration kInterval = std::chrono::seconds(10);

TEST(PeriodicTest, CallsAfterEveryIntervalUntilItsEnd) {
  VirtualClock clock;
  int calls = 0;
  {
    const Periodic periodic(clock, {kInterval}, [&](Instant now) {
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

TEST(PeriodicTest, WaitsForTheFirstCallAsLongAsAsked) {
  VirtualClock clock;
  const Instant start = clock.Now();
  std::vector<Duration> calls;
  const Periodic periodic(clock, {.interval = kInterval, .first_delay = Duration::zero()},
                          [&](Instant now) { calls.push_back(now - start); });
  clock.Advance(kInterval);
  EXPECT_EQ(calls, (std::vector<Duration>{Duration::zero(), kInterval}));
}

TEST(PeriodicTest, WorksInAPoolWithoutHoldingUpTheClock) {
  VirtualClock clock;
  WorkerPool workers(1);
  std::binary_semaphore began(0);
  std::binary_semaphore may_end(0);
  int calls = 0;
  {
    const Periodic periodic(clock, {.interval = kInterval, .workers = &workers}, [&](Instant) {
      began.release();
      may_end.acquire();
      ++calls;
    });
    clock.Advance(kInterval);
    began.acquire();
    clock.Advance(std::chrono::minutes(1));  // returns during the call, and begins no second one
    may_end.release();
  }  // waits for the call
  EXPECT_EQ(calls, 1);
  clock.Advance(std::chrono::minutes(1));
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace plimsoll
