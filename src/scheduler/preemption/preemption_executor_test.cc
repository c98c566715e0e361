#include "scheduler/preemption/preemption_executor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/scheduler_parts_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::IsEmpty;
using testing::SizeIs;

class PreemptionExecutorTest : public SchedulerParts, public testing::Test {
 protected:
  PreemptionExecutorTest() {
    outcome_.node = AddNode("a");
    outcome_.verdict.plugin = "Scripted";
    preemptor_ = AddPod("web");
    queue_.AddUnschedulable(preemptor_, 1, 0, now_);
  }

  PodId AddVictim(std::string_view name, std::string_view metadata = {}) {
    const PodId id = cluster_.UpsertPod(PodFromYaml(name, "{nodeName: a}", metadata));
    outcome_.victims.push_back(id);
    return id;
  }
  /// Starts the preemption. Returns the ids of the evictions.
  std::vector<api::ActionId> Evict() {
    executor_.Evict(preemptor_, outcome_, turn());
    std::vector<api::ActionId> ids;
    for (const api::EvictPod& evict : Take<api::EvictPod>()) ids.push_back(evict.id);
    return ids;
  }

  PodId preemptor_ = kNoPod;
  PostFilterOutcome outcome_;
  PreemptionExecutor executor_{cluster_,  profiles_, queue_,    waiting_,
                               inflight_, metrics_,  stopwatch_};
};

TEST_F(PreemptionExecutorTest, ARefusalWithoutVictimsEvictsNobody) {
  EXPECT_THAT(Evict(), IsEmpty());
  EXPECT_FALSE(executor_.IsPreempting(preemptor_));
}

TEST_F(PreemptionExecutorTest, EndsWithTheLastEviction) {
  AddVictim("one");
  AddVictim("two");
  AddVictim("going", "deletionTimestamp: '2026-01-01T00:00:00Z'");
  const auto ids = Evict();
  ASSERT_THAT(ids, SizeIs(2));
  EXPECT_TRUE(executor_.IsPreempting(preemptor_));
  executor_.OnEvicted(ids[0], {}, turn());
  EXPECT_THAT(Take<api::RecordEvent>(), SizeIs(1));
  EXPECT_TRUE(executor_.IsPreempting(preemptor_));
  executor_.OnEvicted(ids[0], {}, turn());
  EXPECT_TRUE(executor_.IsPreempting(preemptor_)) << "one answer counts once";
  executor_.OnEvicted(ids[1], Fail(Reason::NotFound, "gone"), turn());
  EXPECT_FALSE(executor_.IsPreempting(preemptor_));
  EXPECT_EQ(queue_.unschedulable(), 1U) << "it waits for the deletion";
}

TEST_F(PreemptionExecutorTest, AFailedEvictionMakesThePreemptorActive) {
  AddVictim("one");
  executor_.OnEvicted(Evict().at(0), Fail(Reason::Forbidden, "no"), turn());
  EXPECT_THAT(out_, IsEmpty());
  EXPECT_EQ(queue_.active(), 1U);
}

TEST_F(PreemptionExecutorTest, AVictimAtPermitIsRejectedInstead) {
  const PodId victim = AddVictim("one");
  waiting_.Add(victim, {{"Scripted", std::chrono::minutes(1)}}, now_);
  EXPECT_THAT(Evict(), IsEmpty());
  const auto decision = waiting_.PopDecision(now_);
  ASSERT_TRUE(decision);
  EXPECT_EQ(decision->verdict.Message(), "preempted");
  EXPECT_THAT(Take<api::RecordEvent>(), SizeIs(1));
}

TEST_F(PreemptionExecutorTest, AnswersOfAnEarlierPreemptionDoNotCount) {
  AddVictim("one");
  const api::ActionId old = Evict().at(0);
  executor_.Forget(preemptor_);
  EXPECT_FALSE(executor_.IsPreempting(preemptor_));
  const api::ActionId current = Evict().at(0);
  executor_.OnEvicted(old, Fail(Reason::Forbidden, "no"), turn());
  EXPECT_TRUE(executor_.IsPreempting(preemptor_));
  executor_.OnEvicted(current, {}, turn());
  EXPECT_FALSE(executor_.IsPreempting(preemptor_));
  EXPECT_EQ(queue_.active(), 0U) << "the old failure is none of the new preemption";
}

}  // namespace
}  // namespace plimsoll::scheduler
