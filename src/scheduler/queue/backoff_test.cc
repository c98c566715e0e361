#include "scheduler/queue/backoff.h"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>

namespace plimsoll::scheduler {
namespace {

using namespace std::chrono_literals;

TEST(BackoffTest, DoublesUpToTheLimit) {
  const Backoff backoff;
  EXPECT_EQ(backoff.After(0), 0s);
  EXPECT_EQ(backoff.After(1), 1s);
  EXPECT_EQ(backoff.After(2), 2s);
  EXPECT_EQ(backoff.After(3), 4s);
  EXPECT_EQ(backoff.After(4), 8s);
  EXPECT_EQ(backoff.After(5), 10s);
  EXPECT_EQ(backoff.After(63), 10s);
  EXPECT_EQ(backoff.After(std::numeric_limits<std::uint32_t>::max()), 10s);
}

TEST(BackoffTest, AnInitialWaitBeyondTheLimitIsTheLimit) {
  EXPECT_EQ((Backoff{.initial = 20s, .max = 5s}).After(1), 5s);
}

TEST(BackoffTest, WindowsAreWholeSeconds) {
  EXPECT_EQ(Backoff::Window(Instant(1999ms)), Instant(1s));
  EXPECT_EQ(Backoff::Window(Instant(2s)), Instant(2s));
}

}  // namespace
}  // namespace plimsoll::scheduler
