#include <gtest/gtest.h>

#include <string>

#include "base/async.h"

namespace plimsoll {
namespace {

class PlainFiber final : public Fiber {
 public:
  void Wake() override { ++wakings; }
  int wakings = 0;
};

TEST(FiberTest, ATaskStandsStillAndGoesOnWhereItWas) {
  PlainFiber fiber;
  std::string story;
  fiber.SetTask([&] {
    std::string own = "a";
    story += own;
    fiber.Suspend();
    own += "b";
    story += own;
  });
  EXPECT_EQ(Fiber::Current(), nullptr);
  EXPECT_FALSE(fiber.Resume());
  story += "-";
  EXPECT_TRUE(fiber.Resume());
  EXPECT_EQ(story, "a-ab");
}

TEST(FiberTest, TakesOneTaskAfterTheOther) {
  PlainFiber fiber;
  int ran = 0;
  for (int i = 0; i < 3; ++i) {
    fiber.SetTask([&] { ++ran; });
    EXPECT_TRUE(fiber.Resume());
  }
  EXPECT_EQ(ran, 3);
}

TEST(FiberTest, KnowsWhichOneRuns) {
  PlainFiber outer;
  PlainFiber inner;
  inner.SetTask([&] {
    EXPECT_EQ(Fiber::Current(), &inner);
    inner.Suspend();
    EXPECT_EQ(Fiber::Current(), &inner);
  });
  outer.SetTask([&] {
    EXPECT_FALSE(inner.Resume());
    EXPECT_EQ(Fiber::Current(), &outer);
    outer.Suspend();
    EXPECT_TRUE(inner.Resume());
    EXPECT_EQ(Fiber::Current(), &outer);
  });
  EXPECT_FALSE(outer.Resume());
  EXPECT_EQ(Fiber::Current(), nullptr);
  EXPECT_TRUE(outer.Resume());
}

int Depth(int levels) {
  volatile char frame[512] = {};
  frame[0] = static_cast<char>(levels);
  return levels == 0 ? frame[0] : 1 + Depth(levels - 1);
}

TEST(FiberTest, HasRoomForDeepCalls) {
  PlainFiber fiber;
  int depth = 0;
  fiber.SetTask([&] { depth = Depth(5'000); });
  EXPECT_TRUE(fiber.Resume());
  EXPECT_EQ(depth, 5'000);
}

TEST(FiberTest, WhatATaskThrowsIsCaughtWithinIt) {
  PlainFiber fiber;
  bool is_caught = false;
  fiber.SetTask([&] {
    try {
      fiber.Suspend();
      throw 1;
    } catch (int) {
      is_caught = true;
    }
  });
  EXPECT_FALSE(fiber.Resume());
  EXPECT_TRUE(fiber.Resume());
  EXPECT_TRUE(is_caught);
}

TEST(FiberTest, MayEndWithoutEverHavingRun) { const PlainFiber fiber; }

}  // namespace
}  // namespace plimsoll
