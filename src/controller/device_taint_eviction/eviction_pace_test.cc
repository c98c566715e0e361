#include "controller/device_taint_eviction/eviction_pace.h"

#include <gtest/gtest.h>

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;

const Instant kNoon = ParseTime("2026-03-01T12:00:00Z").value();

/// Returns how many evictions are possible at `now`.
int Drain(EvictionPace& pace, Instant now, bool has_waited = false) {
  int count = 0;
  for (; pace.NextFree() <= now; ++count) pace.Take(now, has_waited);
  return count;
}

TEST(EvictionPaceTest, ABurstThenTheRate) {
  EvictionPace pace;
  pace.SetRate(5, kNoon);
  EXPECT_EQ(Drain(pace, kNoon), 10);
  EXPECT_EQ(pace.NextFree(), kNoon + 200ms);
  EXPECT_EQ(pace.IdleFrom(), kNoon + 2s);
  EXPECT_EQ(Drain(pace, kNoon + 199ms), 0);
  EXPECT_EQ(Drain(pace, kNoon + 200ms), 1);
  EXPECT_EQ(Drain(pace, kNoon + 1s), 4);
  EXPECT_EQ(Drain(pace, kNoon + 1h), 10) << "no more than a burst, after any time";
}

TEST(EvictionPaceTest, AnotherRateCountsFromNowOn) {
  EvictionPace pace;
  pace.SetRate(1, kNoon);
  EXPECT_EQ(Drain(pace, kNoon), 10);
  pace.SetRate(100, kNoon);
  EXPECT_EQ(pace.NextFree(), kNoon + 10ms);
  pace.SetRate(2, kNoon + 5ms);
  EXPECT_GT(pace.NextFree(), kNoon + 200ms);
  EXPECT_LE(pace.NextFree(), kNoon + 500ms);
}

TEST(EvictionPaceTest, ThoseThatFollowFastGoTogether) {
  struct Case {
    std::int64_t rate;
    int together;
    Duration after;
  };
  const Case kCases[] = {
      {5, 1, 200ms}, {100, 1, 10ms}, {200, 3, 15ms}, {1000, 10, 10ms}, {10'000, 10, 1ms}};
  for (const Case& c : kCases) {
    EvictionPace pace;
    EXPECT_TRUE(pace.SetRate(c.rate, kNoon));
    EXPECT_FALSE(pace.SetRate(c.rate, kNoon));
    EXPECT_EQ(Drain(pace, kNoon), 10);
    EXPECT_EQ(pace.NextTurn(), kNoon + c.after) << c.rate;
    EXPECT_EQ(Drain(pace, pace.NextTurn(), true), c.together) << c.rate;
  }
}

TEST(EvictionPaceTest, WhatGoesOtherwiseCountsButIsNotOwed) {
  EvictionPace pace;
  pace.SetRate(5, kNoon);
  for (int i = 0; i < 4; ++i) pace.Charge(kNoon);
  EXPECT_EQ(Drain(pace, kNoon), 6);
  for (int i = 0; i < 100; ++i) pace.Charge(kNoon + 150ms);
  EXPECT_EQ(pace.NextFree(), kNoon + 350ms);
}

TEST(EvictionPaceTest, TheRateIsKeptThoughEachWakeIsLate) {
  EvictionPace pace;
  pace.SetRate(1000, kNoon);
  int count = Drain(pace, kNoon);
  Instant now = kNoon;
  while (now < kNoon + 10s) {
    now = pace.NextFree() + 37ms;
    count += Drain(pace, now, true);
  }
  EXPECT_NEAR(count, 10'010 + 37, 40);
  now += 10s;
  EXPECT_LE(Drain(pace, now, true), 110) << "a pause is not made up for";
}

}  // namespace
}  // namespace plimsoll::controller
