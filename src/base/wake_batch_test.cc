#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "base/async.h"

namespace plimsoll {
namespace {

TEST(HeldWakesTest, WithoutOneAWakeIsNow) {
  int wakes = 0;
  Wake([&] { ++wakes; });
  EXPECT_EQ(wakes, 1);
}

TEST(HeldWakesTest, WakesComeInTheirOrderWhenTheOuterOneEnds) {
  std::string order;
  {
    const WakeBatch outer;
    Wake([&] { order += "a"; });
    {
      const WakeBatch inner;
      Wake([&] { order += "b"; });
    }
    EXPECT_EQ(order, "");
    Wake([&] { order += "c"; });
  }
  EXPECT_EQ(order, "abc");
}

TEST(HeldWakesTest, LettingGoIsNotTheEnd) {
  int wakes = 0;
  const WakeBatch held;
  Wake([&] { ++wakes; });
  WakeBatch::Flush();
  EXPECT_EQ(wakes, 1);
  Wake([&] { ++wakes; });
  EXPECT_EQ(wakes, 1);
  WakeBatch::Flush();
  EXPECT_EQ(wakes, 2);
}

TEST(HeldWakesTest, AWakeThatLeadsToAnotherIsFollowed) {
  int wakes = 0;
  {
    const WakeBatch held;
    Wake([&] { Wake([&] { ++wakes; }); });
    WakeBatch::Flush();
    EXPECT_EQ(wakes, 1);
  }
}

TEST(HeldWakesTest, OtherThreadsHoldNothing) {
  const WakeBatch held;
  int wakes = 0;
  std::jthread([&] { Wake([&] { ++wakes; }); }).join();
  EXPECT_EQ(wakes, 1);
}

}  // namespace
}  // namespace plimsoll
