#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <semaphore>
#include <vector>

#include "base/async.h"
#include "base/real_clock.h"
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
  RealClock clock;
  WorkerPool workers(1);
  const auto await_tick = [&] {
    std::binary_semaphore ticked(0);
    clock.At(clock.Now() + std::chrono::milliseconds(5), [&] { ticked.release(); });
    ticked.acquire();
  };
  std::binary_semaphore began(0);
  std::binary_semaphore may_end(0);
  std::atomic<int> calls = 0;
  {
    const Periodic periodic(clock, {.interval = std::chrono::milliseconds(1), .workers = &workers},
                            [&](Instant) {
                              if (++calls > 1) return;
                              began.release();
                              may_end.acquire();
                            });
    began.acquire();
    await_tick();  // the clock goes on during the call, and begins no second one
    EXPECT_EQ(calls, 1);
    may_end.release();
  }  // waits for the call
  const int calls_made = calls;
  EXPECT_GE(calls_made, 1);
  await_tick();
  EXPECT_EQ(calls, calls_made);
}

}  // namespace
}  // namespace plimsoll
