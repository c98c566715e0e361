#include "runner/call_queue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <latch>
#include <string>
#include <vector>

#include "base/async.h"
#include "client/fake_server_for_test.h"
#include "runner/limits.h"

namespace plimsoll::runner {
namespace {

using client::Channel;

TEST(CallQueueTest, CallsOfOneKeyFollowEachOther) {
  Channel<int> gate;
  Channel<std::string> done;
  CallQueue calls({.calls_max = 4});
  calls.Run("a", [&] {
    gate.Pop();
    done.Put("a1");
  });
  calls.Run("a", [&] { done.Put("a2"); });
  calls.Run("b", [&] { done.Put("b1"); });
  EXPECT_EQ(done.Pop(), "b1") << "another key does not wait";
  gate.Put(0);
  EXPECT_EQ(done.Pop(), "a1");
  EXPECT_EQ(done.Pop(), "a2");
}

TEST(CallQueueTest, FibersOfOneKeyFollowEachOtherToo) {
  constexpr int kKeys = 20;
  constexpr int kCalls = 10;
  std::vector<OneShotEvent> waits(kKeys);
  std::latch all_wait(kKeys);
  std::latch done(kKeys * kCalls);
  std::vector<std::vector<int>> order(kKeys);
  CallQueue calls({.calls_max = kKeys, .are_fibers = true});
  for (std::size_t key = 0; key < kKeys; ++key) {
    for (int i = 0; i < kCalls; ++i) {
      calls.Run(std::to_string(key), [&, key, i] {
        if (i == 0) {
          all_wait.count_down();
          waits[key].Wait();
        }
        order[key].push_back(i);
        done.count_down();
      });
    }
  }
  all_wait.wait();  // the first call of every key runs, although there are fewer threads
  for (OneShotEvent& event : waits) event.Set();
  done.wait();
  for (const std::vector<int>& calls_of_key : order) {
    EXPECT_TRUE(std::ranges::is_sorted(calls_of_key));
  }
}

TEST(CallQueueTest, AfterStopNothingIsCalled) {
  std::vector<std::string> called;
  CallQueue calls({.calls_max = 1});
  calls.Stop();
  calls.Run("a", [&] { called.emplace_back("a"); });
  calls.Stop();
  EXPECT_TRUE(called.empty());
}

TEST(CallQueueTest, StopLetsARunningCallEnd) {
  Channel<int> started;
  bool has_ended = false;
  bool was_called = false;
  CallQueue calls({.calls_max = 1});
  calls.Run("a", [&] {
    started.Put(0);
    has_ended = true;
  });
  started.Pop();
  calls.Stop();
  calls.Run("a", [&] { was_called = true; });
  EXPECT_TRUE(has_ended);
  EXPECT_FALSE(was_called);
}

TEST(CallQueueTest, CountsTheCallsThatHaveNotBegun) {
  const auto backlog = std::make_shared<CallBacklog>();
  Channel<int> begun;
  Channel<int> gate;
  CallQueue calls({.calls_max = 1, .backlog = backlog});
  for (int i = 0; i < 3; ++i) {
    calls.Run(std::to_string(i), [&, i] {
      begun.Put(i);
      gate.Pop();
    });
  }
  for (const std::size_t left : {2u, 1u, 0u}) {
    begun.Pop();
    EXPECT_EQ(backlog->calls, left);
    gate.Put(0);
  }
}

TEST(CallQueueTest, SomeGiveWayToTheBacklogOfOthers) {
  constexpr int kMore = 5;
  const auto backlog = std::make_shared<CallBacklog>();
  backlog->calls = 1;
  Channel<std::string> begun;
  Channel<int> gate;
  CallQueue calls({.calls_max = 64, .yields_to = backlog});
  for (std::size_t i = 0; i < kYieldingCallsMax + kMore; ++i) {
    calls.Run(
        std::to_string(i),
        [&] {
          begun.Put("yielding");
          gate.Pop();
        },
        CallPriority::Yielding);
  }
  for (std::size_t i = 0; i < kYieldingCallsMax; ++i) EXPECT_EQ(begun.Pop(), "yielding");
  calls.Run("urgent", [&] { begun.Put("urgent"); });
  EXPECT_EQ(begun.Pop(), "urgent") << "not one more of the others";

  gate.Put(0);
  EXPECT_EQ(begun.Pop(), "yielding") << "in the place of the one that ended";
  backlog->calls = 0;
  gate.Put(0);
  for (int i = 1; i < kMore; ++i) EXPECT_EQ(begun.Pop(), "yielding") << "all of them";
  for (std::size_t i = 2; i < kYieldingCallsMax + kMore; ++i) gate.Put(0);
}

}  // namespace
}  // namespace plimsoll::runner
