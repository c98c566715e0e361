#include "net/socket_poller.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <functional>
#include <string_view>

#include "base/async.h"
#include "base/real_clock.h"

namespace plimsoll::net {
namespace {

using Outcome = SocketPoller::Outcome;
using std::chrono::milliseconds;

class SocketPollerTest : public testing::Test {
 protected:
  SocketPollerTest() { EXPECT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, ends_.data()), 0); }
  ~SocketPollerTest() override {
    for (const int end : ends_) close(end);
  }

  void Sleep() {
    poller_.Poll(/*may_block=*/true);
    poller_.WakeReadyFibers();
  }
  void Say(std::string_view text) const {
    EXPECT_EQ(write(ends_[1], text.data(), text.size()), std::ssize(text));
  }

  std::array<int, 2> ends_{};
  SocketPoller poller_;
};

TEST_F(SocketPollerTest, TellsOfWhatIsThereAndOfWhatComesAgainAndAgain) {
  Say("early");
  for (int i = 0; i < 3; ++i) {
    SocketPoller::Waiting waiting;
    ASSERT_TRUE(poller_.BeginWait(ends_[0], POLLIN, std::nullopt, waiting).has_value());
    if (i > 0) Say("late");
    Sleep();
    waiting.event.Wait();
    EXPECT_EQ(waiting.outcome, Outcome::Ready);
    std::array<char, 16> heard{};
    EXPECT_GT(read(ends_[0], heard.data(), heard.size()), 0);
  }
}

TEST_F(SocketPollerTest, ADeadlineEndsItsWaitOnly) {
  SocketPoller::Waiting patient;
  ASSERT_TRUE(poller_.BeginWait(ends_[0], POLLIN, SteadyTime() + std::chrono::hours(1), patient));
  SocketPoller::Waiting hasty;
  ASSERT_TRUE(poller_.BeginWait(ends_[1], POLLIN, SteadyTime() + milliseconds(1), hasty));
  Sleep();
  hasty.event.Wait();
  EXPECT_EQ(hasty.outcome, Outcome::TimedOut);
  Say("at last");
  Sleep();
  patient.event.Wait();
  EXPECT_EQ(patient.outcome, Outcome::Ready);
}

TEST_F(SocketPollerTest, CancelsOnceAndOnlyWhatStillWaits) {
  SocketPoller::Waiting waiting;
  const auto ticket = poller_.BeginWait(ends_[0], POLLIN, std::nullopt, waiting);
  ASSERT_TRUE(ticket.has_value());
  poller_.Cancel(*ticket);
  waiting.event.Wait();
  EXPECT_EQ(waiting.outcome, Outcome::Cancelled);
  poller_.Cancel(*ticket);
  // No wait gets this event.
  Say("too late");
  SocketPoller::Waiting other;
  ASSERT_TRUE(poller_.BeginWait(ends_[1], POLLOUT, std::nullopt, other).has_value());
  Sleep();
  other.event.Wait();
  EXPECT_EQ(other.outcome, Outcome::Ready);
}

TEST_F(SocketPollerTest, WhatIsNoSocketIsRefused) {
  SocketPoller::Waiting waiting;
  EXPECT_FALSE(poller_.BeginWait(-1, POLLIN, std::nullopt, waiting).has_value());
}

TEST_F(SocketPollerTest, ALookDoesNotSleepAndAWakeEndsASleepEachTime) {
  poller_.Poll(/*may_block=*/false);
  for (int i = 0; i < 3; ++i) {
    poller_.Interrupt();
    Sleep();
  }
}

TEST_F(SocketPollerTest, ItIsThatOfAFibersThread) {
  EXPECT_EQ(SocketPoller::ForCurrentFiber(), nullptr) << "in no fiber";
  OneShotEvent has_begun;
  OneShotEvent has_run;
  OneShotEvent has_heard;
  const SocketPoller* first = nullptr;
  const SocketPoller* second = nullptr;
  WorkerPool pool(1, {}, 2);
  pool.Run([&] {
    SocketPoller& poller = *SocketPoller::ForCurrentFiber();
    first = &poller;
    SocketPoller::Waiting waiting;
    EXPECT_TRUE(poller.BeginWait(ends_[0], POLLIN, std::nullopt, waiting).has_value());
    has_begun.Set();
    waiting.event.Wait();
    EXPECT_EQ(waiting.outcome, Outcome::Ready);
    has_heard.Set();
  });
  has_begun.Wait();
  // The thread, which may be asleep by now, can still run other tasks.
  pool.Run([&] {
    second = SocketPoller::ForCurrentFiber();
    has_run.Set();
  });
  has_run.Wait();
  Say("at last");
  has_heard.Wait();
  EXPECT_NE(first, nullptr);
  EXPECT_EQ(first, second);
}

TEST_F(SocketPollerTest, ABusyThreadHasALookAsWell) {
  OneShotEvent has_heard;
  std::atomic<bool> is_over = false;
  std::function<void()> again;
  WorkerPool pool(1, {}, 2);
  pool.Run([&] {
    SocketPoller::Waiting waiting;
    EXPECT_TRUE(SocketPoller::ForCurrentFiber()
                    ->BeginWait(ends_[0], POLLIN, std::nullopt, waiting)
                    .has_value());
    waiting.event.Wait();
    is_over = true;
    has_heard.Set();
  });
  // A task that adds the next one keeps the thread from sleeping.
  again = [&] {
    if (!is_over) pool.Run(again);
  };
  pool.Run(again);
  Say("at last");
  has_heard.Wait();
}

}  // namespace
}  // namespace plimsoll::net
