#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <thread>
#include <vector>

#include "base/async.h"

namespace plimsoll {
namespace {

TEST(WorkerPoolTest, RunsWhatWaitsSideBySide) {
  WorkerPool pool(4);
  std::latch all(4);
  std::latch done(4);
  for (int i = 0; i < 4; ++i) {
    pool.Run([&] {
      all.arrive_and_wait();  // passes only if all four run at the same time
      done.count_down();
    });
  }
  done.wait();
  EXPECT_EQ(pool.threads(), 4u);
}

TEST(WorkerPoolTest, MakesNoMoreThreadsThanAllowed) {
  std::atomic<int> ran = 0;
  {
    WorkerPool pool(2);
    for (int i = 0; i < 1000; ++i) pool.Run([&] { ++ran; });
    EXPECT_LE(pool.threads(), 2u);
  }
  EXPECT_EQ(ran, 1000) << "the end waits for all work";
}

TEST(WorkerPoolTest, ATaskMayHandInAnother) {
  std::latch done(1);
  WorkerPool pool(1);
  pool.Run([&] { pool.Run([&] { done.count_down(); }); });
  done.wait();
}

TEST(WorkerPoolTest, OneThreadHoldsManyTasksThatWait) {
  constexpr std::size_t kTasks = 100;
  std::vector<OneShotEvent> events(kTasks);
  std::latch all_wait(kTasks);
  std::atomic<std::size_t> past = 0;
  {
    WorkerPool pool(1, {}, kTasks);
    for (OneShotEvent& event : events) {
      pool.Run([&] {
        all_wait.count_down();
        event.Wait();
        ++past;
      });
    }
    all_wait.wait();  // all have started, but none can have finished
    EXPECT_EQ(past, 0u);
    EXPECT_EQ(pool.threads(), 1u);
    for (OneShotEvent& event : events) event.Set();
  }
  EXPECT_EQ(past, kTasks) << "the end waits for tasks that stand still";
}

TEST(WorkerPoolTest, TakesOnNoMoreThanItMayHold) {
  OneShotEvent first;
  std::latch second_began(1);
  WorkerPool pool(1, {}, 1);
  std::atomic<bool> is_first_over = false;
  pool.Run([&] {
    first.Wait();
    is_first_over = true;
  });
  pool.Run([&] {
    EXPECT_TRUE(is_first_over);
    second_began.count_down();
  });
  first.Set();
  second_began.wait();
}

TEST(WorkerPoolTest, TasksOfManyThreadsMeet) {
  constexpr int kRounds = 2'000;
  std::atomic<int> past = 0;
  {
    WorkerPool waiting(2, {}, 64);
    WorkerPool posting(2);
    for (int i = 0; i < kRounds; ++i) {
      waiting.Run([&] {
        OneShotEvent event;
        posting.Run([&] { event.Set(); });
        event.Wait();
        ++past;
      });
    }
    while (past < kRounds) std::this_thread::yield();
  }
  EXPECT_EQ(past, kRounds);
}

TEST(HardwareThreadsTest, ThereIsAtLeastOne) { EXPECT_GE(HardwareThreads(), 1); }

}  // namespace
}  // namespace plimsoll
