#include "runner/call_queue.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "client/test_support.h"

namespace plimsoll::runner {
namespace {

using client::Channel;

TEST(CallQueueTest, CallsOfOneKeyFollowEachOther) {
  Channel<int> gate;
  Channel<std::string> done;
  CallQueue calls(4);
  calls.Run("a", [&] {
    gate.Take();
    done.Put("a1");
  });
  calls.Run("a", [&] { done.Put("a2"); });
  calls.Run("b", [&] { done.Put("b1"); });
  EXPECT_EQ(done.Take(), "b1") << "another key does not wait";
  gate.Put(0);
  EXPECT_EQ(done.Take(), "a1");
  EXPECT_EQ(done.Take(), "a2");
}

TEST(CallQueueTest, AfterStopNothingIsCalled) {
  std::vector<std::string> called;
  CallQueue calls(1);
  calls.Stop();
  calls.Run("a", [&] { called.emplace_back("a"); });
  calls.Stop();
  EXPECT_TRUE(called.empty());
}

TEST(CallQueueTest, StopLetsARunningCallEnd) {
  Channel<int> started;
  bool has_ended = false;
  bool was_called = false;
  CallQueue calls(1);
  calls.Run("a", [&] {
    started.Put(0);
    has_ended = true;
  });
  started.Take();
  calls.Stop();
  calls.Run("a", [&] { was_called = true; });
  EXPECT_TRUE(has_ended);
  EXPECT_FALSE(was_called);
}

}  // namespace
}  // namespace plimsoll::runner
