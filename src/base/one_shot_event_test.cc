#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/async.h"

namespace plimsoll {
namespace {

class NotingFiber final : public Fiber {
 public:
  void Wake() override { is_woken = true; }
  bool is_woken = false;
};

TEST(OneShotEventTest, WaitsForNothingThatHasHappened) {
  OneShotEvent event;
  event.Set();
  event.Wait();
}

TEST(OneShotEventTest, AThreadSleepsUntilItIsSet) {
  for (int i = 0; i < 100; ++i) {
    int value = 0;
    std::jthread poster;
    {
      OneShotEvent event;
      poster = std::jthread([&] {
        value = 1;
        event.Set();
      });
      event.Wait();
    }
    EXPECT_EQ(value, 1);
  }
}

TEST(OneShotEventTest, AFiberLeavesItsThreadToOthers) {
  NotingFiber fiber;
  OneShotEvent event;
  bool is_past = false;
  fiber.SetTask([&] {
    event.Wait();
    is_past = true;
  });
  EXPECT_FALSE(fiber.Resume());
  EXPECT_FALSE(is_past);
  EXPECT_FALSE(fiber.is_woken);
  event.Set();
  EXPECT_TRUE(fiber.is_woken);
  EXPECT_TRUE(fiber.Resume());
  EXPECT_TRUE(is_past);
}

TEST(OneShotEventTest, AFiberThatComesLateGoesStraightOn) {
  NotingFiber fiber;
  OneShotEvent event;
  event.Set();
  fiber.SetTask([&] { event.Wait(); });
  EXPECT_TRUE(fiber.Resume());
  EXPECT_FALSE(fiber.is_woken);
}

}  // namespace
}  // namespace plimsoll
