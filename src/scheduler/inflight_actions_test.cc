#include "scheduler/inflight_actions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

namespace plimsoll::scheduler {
namespace {

using Kind = InflightActions::Kind;
using testing::HasSubstr;
using testing::Not;

class InflightActionsTest : public testing::Test {
 protected:
  MetricsRegistry registry_;
  Duration elapsed_ = Duration::zero();
  const Stopwatch stopwatch_{[this] { return elapsed_ += std::chrono::milliseconds(1); }};
  SchedulerMetrics metrics_{registry_, {{"default-scheduler", {}}}};
  InflightActions inflight_{metrics_, stopwatch_};
};

TEST_F(InflightActionsTest, EndsEachActionOnce) {
  const api::ActionId id = inflight_.Start(Kind::Evict, 7);
  const auto finished = inflight_.Finish({.id = id});
  ASSERT_TRUE(finished);
  EXPECT_EQ(finished->kind, Kind::Evict);
  EXPECT_EQ(finished->pod, 7U);
  EXPECT_FALSE(inflight_.Finish({.id = id}));
}

TEST_F(InflightActionsTest, IgnoresIdsThatWereNeverGiven) {
  EXPECT_FALSE(inflight_.Finish({.id = 0}));
  inflight_.Start(Kind::Bind, 1);
  EXPECT_FALSE(inflight_.Finish({.id = 99}));
}

TEST_F(InflightActionsTest, NeverGivesAnIdTwice) {
  const api::ActionId first = inflight_.Start(Kind::Bind, 1);
  inflight_.Finish({.id = first});
  const api::ActionId second = inflight_.Start(Kind::Bind, 2);
  EXPECT_NE(first, second);
  EXPECT_FALSE(inflight_.Finish({.id = first})) << "the answer of the first must not end the other";
  EXPECT_TRUE(inflight_.Finish({.id = second}));
}

TEST_F(InflightActionsTest, CountsCallsButNeitherEvictionsNorWrites) {
  const api::ActionId bind = inflight_.Start(Kind::Bind, 1);
  inflight_.Start(Kind::PatchStatus, 1);
  inflight_.Start(Kind::Evict, 1);
  inflight_.Start(Kind::Write, 1);
  EXPECT_EQ(inflight_.started_at(bind), std::chrono::milliseconds(1));
  inflight_.PublishPendingCalls();
  EXPECT_THAT(registry_.Text(),
              HasSubstr("scheduler_pending_async_api_calls{call_type=\"pod_binding\"} 1"));
  EXPECT_THAT(registry_.Text(),
              HasSubstr("scheduler_pending_async_api_calls{call_type=\"pod_status_patch\"} 1"));
  inflight_.Finish({.id = bind});
  inflight_.PublishPendingCalls();
  EXPECT_THAT(registry_.Text(),
              HasSubstr("scheduler_pending_async_api_calls{call_type=\"pod_binding\"} 0"));
}

}  // namespace
}  // namespace plimsoll::scheduler
