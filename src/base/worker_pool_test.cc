#include "base/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>

namespace plimsoll {
namespace {

TEST(WorkerPoolTest, RunsWhatWaitsSideBySide) {
  WorkerPool pool(4);
  std::latch all(4);
  std::latch done(4);
  for (int i = 0; i < 4; ++i) {
    pool.Run([&] {
      all.arrive_and_wait();  // passes only when all four run at the same time
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

TEST(HardwareThreadsTest, ThereIsAtLeastOne) { EXPECT_GE(HardwareThreads(), 1); }

}  // namespace
}  // namespace plimsoll
