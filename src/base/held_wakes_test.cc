#include "base/held_wakes.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

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
    const HeldWakes outer;
    Wake([&] { order += "a"; });
    {
      const HeldWakes inner;
      Wake([&] { order += "b"; });
    }
    EXPECT_EQ(order, "");
    Wake([&] { order += "c"; });
  }
  EXPECT_EQ(order, "abc");
}

TEST(HeldWakesTest, LettingGoIsNotTheEnd) {
  int wakes = 0;
  const HeldWakes held;
  Wake([&] { ++wakes; });
  HeldWakes::LetGo();
  EXPECT_EQ(wakes, 1);
  Wake([&] { ++wakes; });
  EXPECT_EQ(wakes, 1);
  HeldWakes::LetGo();
  EXPECT_EQ(wakes, 2);
}

TEST(HeldWakesTest, AWakeThatLeadsToAnotherIsFollowed) {
  int wakes = 0;
  {
    const HeldWakes held;
    Wake([&] { Wake([&] { ++wakes; }); });
    HeldWakes::LetGo();
    EXPECT_EQ(wakes, 1);
  }
}

TEST(HeldWakesTest, OtherThreadsHoldNothing) {
  const HeldWakes held;
  int wakes = 0;
  std::jthread([&] { Wake([&] { ++wakes; }); }).join();
  EXPECT_EQ(wakes, 1);
}

}  // namespace
}  // namespace plimsoll
