#include "client/stop_signal.h"

#include <gtest/gtest.h>

#include "base/async.h"
#include "client/backoff.h"
#include "client/fake_server_for_test.h"

namespace plimsoll::client {
namespace {

using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

TEST(StopSignalTest, WaitsForTheClock) {
  ManualClock clock;
  StopSignal stop;
  Channel<bool> outcome;
  WorkerPool thread(1);
  thread.Run([&] { outcome.Put(stop.WaitUntil(clock, clock.Now() + seconds(5))); });
  EXPECT_EQ(clock.RunNext(), seconds(5));
  EXPECT_TRUE(outcome.Pop());
}

TEST(StopSignalTest, EndsAWaitAndAllLaterOnes) {
  ManualClock clock;
  StopSignal stop;
  Channel<bool> outcome;
  WorkerPool thread(1);
  thread.Run([&] { outcome.Put(stop.WaitUntil(clock, clock.Now() + seconds(5))); });
  stop.Stop();
  stop.Stop();
  EXPECT_FALSE(outcome.Pop());
  EXPECT_TRUE(stop.is_stopped());
  EXPECT_FALSE(stop.WaitUntil(clock, clock.Now()));
}

TEST(StopSignalTest, FibersOfOneThreadWaitSideBySide) {
  ManualClock clock;
  StopSignal stop;
  Channel<int> order;
  WorkerPool thread(1, {}, 4);
  for (const int second : {3, 1, 2}) {
    thread.Run([&, second] {
      EXPECT_TRUE(stop.WaitUntil(clock, clock.Now() + seconds(second)));
      order.Put(second);
    });
  }
  thread.Run([&] { order.Put(0); });
  EXPECT_EQ(order.Pop(), 0) << "all three wait by now, and their thread does not";
  for (const int second : {1, 2, 3}) {
    clock.RunNext();
    EXPECT_EQ(order.Pop(), second);
  }
}

TEST(StopSignalTest, ATimeThatHasPassedIsNotWaitedFor) {
  ManualClock clock;
  StopSignal stop;
  EXPECT_TRUE(stop.WaitUntil(clock, clock.Now()));
}

TEST(BackoffTest, GrowsToItsBoundAndBeginsAnewAfterAQuietTime) {
  Backoff backoff({.initial = seconds(1), .max = seconds(5), .factor = 2, .jitter = 0}, 1);
  Instant now;
  EXPECT_EQ(backoff.Next(now), seconds(1));
  EXPECT_EQ(backoff.Next(now), seconds(2));
  EXPECT_EQ(backoff.Next(now), seconds(4));
  EXPECT_EQ(backoff.Next(now), seconds(5));
  now += minutes(2);
  EXPECT_EQ(backoff.Next(now), seconds(5));
  now += minutes(2) + milliseconds(1);
  EXPECT_EQ(backoff.Next(now), seconds(1));
}

TEST(BackoffTest, JitterStretchesByAtMostItsPartAndFollowsFromTheSeed) {
  Backoff one({.initial = seconds(1), .max = seconds(1), .factor = 1, .jitter = 0.5}, 7);
  Backoff same({.initial = seconds(1), .max = seconds(1), .factor = 1, .jitter = 0.5}, 7);
  for (int i = 0; i < 100; ++i) {
    const Duration delay = one.Next(Instant());
    EXPECT_GE(delay, seconds(1));
    EXPECT_LT(delay, milliseconds(1500));
    EXPECT_EQ(delay, same.Next(Instant()));
  }
}

}  // namespace
}  // namespace plimsoll::client
