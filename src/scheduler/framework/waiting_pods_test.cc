#include "scheduler/framework/waiting_pods.h"

#include <gtest/gtest.h>

#include <chrono>

#include "scheduler/limits.h"

namespace plimsoll::scheduler {
namespace {

using namespace std::chrono_literals;

class WaitingPodsTest : public testing::Test {
 protected:
  WaitingPodsTest() { waiting_.Add(7, {{"A", 1min}, {"B", 1h}}, start_); }

  const Instant start_{1'000s};
  WaitingPods waiting_;
};

TEST_F(WaitingPodsTest, GoesOnWhenAllHaveLetItGo) {
  waiting_.Allow(7, "A");
  waiting_.Allow(7, "C");
  waiting_.Allow(8, "B");
  EXPECT_FALSE(waiting_.HasDecision());
  waiting_.Allow(7, "B");
  const auto decision = waiting_.PopDecision(start_ + 5s);
  ASSERT_TRUE(decision);
  EXPECT_EQ(decision->pod, 7U);
  EXPECT_TRUE(decision->verdict.ok());
  EXPECT_EQ(decision->waited, 5s);
  EXPECT_FALSE(waiting_.IsWaiting(7));
  EXPECT_FALSE(waiting_.PopDecision(start_));
}

TEST_F(WaitingPodsTest, TheFirstWordCounts) {
  waiting_.Reject(7, "C", "no");
  waiting_.Reject(7, "A", "never");
  waiting_.Allow(7, "A");
  waiting_.Allow(7, "B");
  const auto decision = waiting_.PopDecision(start_);
  ASSERT_TRUE(decision);
  EXPECT_EQ(decision->verdict.code, Code::Unschedulable);
  EXPECT_EQ(decision->verdict.Message(), "no");
  EXPECT_EQ(decision->verdict.plugin, "C");
  EXPECT_FALSE(waiting_.PopDecision(start_));
}

TEST_F(WaitingPodsTest, ThePluginThatIsNotHeardInTimeRejects) {
  EXPECT_EQ(waiting_.Deadline(7), start_ + 1min);
  waiting_.Expire(7, start_ + 59s);
  EXPECT_FALSE(waiting_.HasDecision());
  waiting_.Allow(7, "A");
  EXPECT_EQ(waiting_.Deadline(7), start_ + kPermitTimeoutMax);
  waiting_.Expire(7, start_ + 15min);
  const auto decision = waiting_.PopDecision(start_ + 15min);
  ASSERT_TRUE(decision);
  EXPECT_EQ(decision->verdict.Message(), "rejected due to timeout after waiting 15m0s at plugin B");
  EXPECT_EQ(decision->verdict.plugin, "B");
}

TEST_F(WaitingPodsTest, AnotherPodOfTheSameNumberIsNotMeant) {
  waiting_.Allow(7, "A");
  waiting_.Allow(7, "B");
  waiting_.Remove(7);
  waiting_.Add(7, {{"A", 1s}}, start_);
  EXPECT_FALSE(waiting_.PopDecision(start_));
  EXPECT_EQ(waiting_.pods(), std::vector<PodId>{7});
}

}  // namespace
}  // namespace plimsoll::scheduler
