#include "controller/work_queue.h"

#include <gtest/gtest.h>

#include <string>

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;

constexpr Instant kStart{1000s};

TEST(WorkQueueTest, AKeyWaitsOnceForItsEarliestTime) {
  WorkQueue<std::string> queue;
  queue.AddAt("a", kStart + 2s);
  queue.AddAt("a", kStart + 1s);
  queue.AddAt("a", kStart + 3s);
  queue.AddAt("b", kStart + 2s);
  EXPECT_EQ(queue.NextWake(), kStart + 1s);
  EXPECT_EQ(queue.Take(kStart), std::nullopt);
  EXPECT_EQ(queue.Take(kStart + 5s), "a");
  EXPECT_EQ(queue.Take(kStart + 5s), "b");
  EXPECT_EQ(queue.Take(kStart + 5s), std::nullopt);
  EXPECT_EQ(queue.NextWake(), std::nullopt);
}

TEST(WorkQueueTest, WhatIsAddedIsDueAtOnce) {
  WorkQueue<int> queue;
  queue.AddAt(7, kStart);
  queue.Add(7);
  EXPECT_TRUE(queue.Contains(7));
  EXPECT_EQ(queue.Take(kStart - 1h), 7);
  EXPECT_FALSE(queue.Contains(7));
}

TEST(WorkQueueTest, FailuresWaitLongerAndLonger) {
  WorkQueue<int> queue({.min = 10ms, .max = 35ms});
  for (const Duration wait : {10ms, 20ms, 35ms, 35ms}) {
    queue.Retry(1, kStart);
    EXPECT_EQ(queue.NextWake(), kStart + wait);
    EXPECT_EQ(queue.Take(kStart + wait), 1);
  }
  queue.Forget(1);
  queue.Retry(1, kStart);
  EXPECT_EQ(queue.NextWake(), kStart + 10ms);
}

TEST(WorkQueueTest, WhatIsErasedIsNotTaken) {
  WorkQueue<int> queue;
  queue.Add(1);
  queue.Retry(2, kStart);
  queue.Erase(1);
  queue.Erase(2);
  queue.Erase(3);
  EXPECT_EQ(queue.NextWake(), std::nullopt);
}

}  // namespace
}  // namespace plimsoll::controller
