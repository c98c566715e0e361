#include "base/baton.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "base/fiber.h"

namespace plimsoll {
namespace {

class NotingFiber final : public Fiber {
 public:
  void Wake() override { is_woken = true; }
  bool is_woken = false;
};

TEST(BatonTest, WaitsForNothingThatHasHappened) {
  Baton baton;
  baton.Post();
  baton.Wait();
}

TEST(BatonTest, AThreadSleepsUntilItIsPosted) {
  for (int i = 0; i < 100; ++i) {
    int value = 0;
    std::jthread poster;
    {
      Baton baton;
      poster = std::jthread([&] {
        value = 1;
        baton.Post();
      });
      baton.Wait();
    }
    EXPECT_EQ(value, 1);
  }
}

TEST(BatonTest, AFiberLeavesItsThreadToOthers) {
  NotingFiber fiber;
  Baton baton;
  bool is_past = false;
  fiber.Give([&] {
    baton.Wait();
    is_past = true;
  });
  EXPECT_FALSE(fiber.Resume());
  EXPECT_FALSE(is_past);
  EXPECT_FALSE(fiber.is_woken);
  baton.Post();
  EXPECT_TRUE(fiber.is_woken);
  EXPECT_TRUE(fiber.Resume());
  EXPECT_TRUE(is_past);
}

TEST(BatonTest, AFiberThatComesLateGoesStraightOn) {
  NotingFiber fiber;
  Baton baton;
  baton.Post();
  fiber.Give([&] { baton.Wait(); });
  EXPECT_TRUE(fiber.Resume());
  EXPECT_FALSE(fiber.is_woken);
}

}  // namespace
}  // namespace plimsoll
