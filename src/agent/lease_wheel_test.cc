#include "agent/lease_wheel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

namespace plimsoll::agent {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(LeaseWheelTest, BringsUpEachOnceInEveryTurn) {
  LeaseWheel wheel(seconds(10));
  const Instant start(seconds(1000));
  for (std::uint32_t i = 0; i < 1000; ++i) wheel.Add(i, start);
  std::map<std::uint32_t, int> seen;
  std::size_t most = 0;
  while (*wheel.NextWake() <= start + seconds(30)) {
    std::vector<std::uint32_t> due;
    wheel.TakeDue(*wheel.NextWake(), due);
    most = std::max(most, due.size());
    for (const std::uint32_t member : due) ++seen[member];
  }
  EXPECT_EQ(seen.size(), 1000u);
  EXPECT_TRUE(std::ranges::all_of(seen, [](const auto& one) { return one.second == 3; }));
  EXPECT_EQ(most, 1000u / LeaseWheel::kSpokes);
}

TEST(LeaseWheelTest, SpreadsAFewAsEvenly) {
  LeaseWheel wheel(seconds(10));
  const Instant start(seconds(1000));
  for (std::uint32_t i = 0; i < 3; ++i) wheel.Add(i, start);
  std::vector<Instant> times;
  std::vector<std::uint32_t> due;
  while (times.size() < 3) {
    times.push_back(*wheel.NextWake());
    wheel.TakeDue(times.back(), due);
  }
  EXPECT_GE(times[1] - times[0], seconds(2));
  EXPECT_GE(times[2] - times[1], seconds(2));
}

TEST(LeaseWheelTest, MissedTurnsAreNotMadeUpFor) {
  LeaseWheel wheel(seconds(10));
  wheel.Add(7, Instant(seconds(1000)));
  std::vector<std::uint32_t> due;
  wheel.TakeDue(Instant(seconds(2000)), due);
  EXPECT_EQ(due.size(), 1u);
}

TEST(LeaseWheelTest, WhatIsTakenOutComesUpNoMore) {
  LeaseWheel wheel(seconds(10));
  wheel.Add(1, Instant(seconds(1)));
  wheel.Remove(1);
  wheel.Remove(2);
  EXPECT_FALSE(wheel.NextWake());
}

}  // namespace
}  // namespace plimsoll::agent
