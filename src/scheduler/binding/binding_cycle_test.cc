#include "scheduler/binding/binding_cycle.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>

#include "scheduler/queue/event_label.h"
#include "scheduler/scheduler_parts_for_test.h"

namespace plimsoll::scheduler {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class BindingCycleTest : public SchedulerParts, public testing::Test {
 protected:
  BindingCycleTest() : node_(AddNode("a")), pod_(AddPod("web")) {}

  bool Start() { return binding_.Start(pod_, node_, Duration::zero(), turn()); }
  /// Returns the id of the only binding that was sent.
  api::ActionId TakeBind() {
    const auto binds = Take<api::BindPod>();
    EXPECT_THAT(binds, SizeIs(1));
    return binds.empty() ? 0 : binds[0].id;
  }
  void Finish(api::ActionId id, const Status& status = {}) {
    EXPECT_TRUE(binding_.OnBindFinished(pod_, id, status, turn()));
  }
  /// Delivers the bound pod.
  void Confirm(std::string_view node) {
    cluster_.UpsertPod(PodFromYaml("web", "{nodeName: '" + std::string(node) + "'}"));
    binding_.OnPodBound(pod_, node, turn());
  }

  NodeSlot node_;
  PodId pod_;
  BindingCycle binding_{cluster_,  profiles_, queue_,   waiting_,
                        inflight_, failures_, metrics_, stopwatch_};
};

TEST_F(BindingCycleTest, AssumesBindsAndWaitsForTheInformer) {
  EXPECT_TRUE(Start());
  EXPECT_EQ(binding_.state(pod_), BindingState::Binding);
  EXPECT_EQ(binding_.assumed(), 1U);
  EXPECT_TRUE(cluster_.IsAssumed(pod_));
  Finish(TakeBind());
  EXPECT_EQ(binding_.state(pod_), BindingState::Bound);
  EXPECT_EQ(Take<api::RecordEvent>().at(0).reason, "Scheduled");
  EXPECT_THAT(plugin_->bound, ElementsAre("web→a"));
  EXPECT_FALSE(queue_.Contains(pod_));
  Confirm("a");
  EXPECT_EQ(binding_.state(pod_), BindingState::None);
  EXPECT_EQ(binding_.assumed(), 0U);
}

TEST_F(BindingCycleTest, TheInformerMayComeBeforeTheAnswer) {
  Start();
  const api::ActionId bind = TakeBind();
  Confirm("a");
  EXPECT_EQ(binding_.state(pod_), BindingState::Binding);
  Finish(bind, Fail(Reason::Timeout, "late"));
  EXPECT_EQ(binding_.state(pod_), BindingState::None);
  EXPECT_EQ(Take<api::RecordEvent>().at(0).reason, "Scheduled");
}

TEST_F(BindingCycleTest, AnUnknownResultIsTriedAgainOnTheSameNode) {
  Start();
  Finish(TakeBind(), Fail(Reason::Timeout, "no answer"));
  EXPECT_EQ(binding_.state(pod_), BindingState::Retrying);
  ASSERT_TRUE(binding_.NextTimer());
  now_ = *binding_.NextTimer();
  binding_.RunTimers(turn());
  EXPECT_EQ(binding_.state(pod_), BindingState::Binding);
  Finish(TakeBind(), Fail(Reason::Conflict, "already assigned"));
  EXPECT_EQ(binding_.state(pod_), BindingState::Unsettled) << "the first one may have succeeded";
  EXPECT_FALSE(binding_.NextTimer());
  Confirm("a");
  EXPECT_EQ(binding_.state(pod_), BindingState::None);
}

TEST_F(BindingCycleTest, AFailedBindingReturnsThePodToTheQueue) {
  Start();
  Finish(TakeBind(), Fail(Reason::Conflict, "no"));
  EXPECT_EQ(binding_.state(pod_), BindingState::None);
  EXPECT_FALSE(cluster_.IsAssumed(pod_));
  EXPECT_EQ(plugin_->unreserved, 1);
  EXPECT_EQ(queue_.backoff(), 1U);
}

TEST_F(BindingCycleTest, IgnoresAnswersThatNobodyAwaits) {
  EXPECT_FALSE(binding_.OnBindFinished(pod_, 7, {}, turn()));
  EXPECT_FALSE(binding_.OnWritesFinished(99, 7, {}, turn()));
  Start();
  const api::ActionId bind = TakeBind();
  binding_.Cancel(pod_, turn());
  EXPECT_EQ(binding_.state(pod_), BindingState::None);
  EXPECT_FALSE(binding_.OnBindFinished(pod_, bind, {}, turn()));
}

TEST_F(BindingCycleTest, ARefusedReservationIsUndone) {
  plugin_->reserve = [](PodId, NodeSlot) { return Verdict::Of(Code::Unschedulable, "taken"); };
  EXPECT_FALSE(Start());
  EXPECT_EQ(binding_.assumed(), 0U);
  EXPECT_EQ(queue_.unschedulable(), 1U);
  EXPECT_THAT(Take<api::BindPod>(), IsEmpty());
}

TEST_F(BindingCycleTest, WaitsAtPermitUntilItIsAllowed) {
  plugin_->permit = [](PodId, WaitingPods&) {
    return PermitOutcome{Verdict::Of(Code::Wait, "gang"), 1min};
  };
  EXPECT_TRUE(Start());
  EXPECT_EQ(binding_.state(pod_), BindingState::Permit);
  EXPECT_EQ(binding_.NextTimer(), now_ + 1min);
  EXPECT_EQ(Take<api::UpdatePodStatus>().at(0).nominated_node, "a");
  waiting_.Allow(pod_, "Scripted");
  binding_.ApplyPermitDecisions(turn());
  EXPECT_EQ(binding_.state(pod_), BindingState::Binding);
  EXPECT_FALSE(binding_.NextTimer());
}

TEST_F(BindingCycleTest, APermitThatTakesTooLongIsARefusal) {
  plugin_->permit = [](PodId, WaitingPods&) {
    return PermitOutcome{Verdict::Of(Code::Wait, "gang"), 1min};
  };
  Start();
  now_ += 1min;
  binding_.RunTimers(turn());
  binding_.ApplyPermitDecisions(turn());
  EXPECT_EQ(binding_.state(pod_), BindingState::None);
  EXPECT_EQ(queue_.unschedulable(), 1U);
}

TEST_F(BindingCycleTest, PreBindContinuesAtTheEventThatItWaitsFor) {
  bool is_ready = false;
  plugin_->pre_bind = [&](PodId, Instant) {
    PreBindOutcome outcome;
    if (is_ready) return outcome;
    outcome.verdict = Verdict::Of(Code::Wait, "volume");
    outcome.waits_for = {{EventResource::PersistentVolume, kAdd}};
    return outcome;
  };
  Start();
  EXPECT_EQ(binding_.state(pod_), BindingState::PreBind);
  EXPECT_TRUE(binding_.HasEventWaits());
  is_ready = true;
  binding_.OnEvent(MakeEvent(EventResource::PersistentVolume, kDelete, nullptr, nullptr), turn());
  EXPECT_EQ(binding_.state(pod_), BindingState::PreBind);
  binding_.OnEvent(MakeEvent(EventResource::PersistentVolume, kAdd, nullptr, nullptr), turn());
  EXPECT_EQ(binding_.state(pod_), BindingState::Binding);
  EXPECT_FALSE(binding_.HasEventWaits());
}

TEST_F(BindingCycleTest, PreBindContinuesAfterItsWrites) {
  bool has_written = false;
  plugin_->pre_bind = [&](PodId, Instant) {
    PreBindOutcome outcome;
    if (has_written) return outcome;
    outcome.verdict = Verdict::Of(Code::Wait, "claim");
    outcome.writes = {api::DeleteObject{}};
    return outcome;
  };
  Start();
  has_written = true;
  const api::ActionId write = Take<api::WriteInOrder>().at(0).id;
  EXPECT_TRUE(binding_.OnWritesFinished(pod_, write, {}, turn()));
  EXPECT_EQ(binding_.state(pod_), BindingState::Binding);
}

TEST_F(BindingCycleTest, AWaitEndsWithItsNode) {
  plugin_->permit = [](PodId, WaitingPods&) {
    return PermitOutcome{Verdict::Of(Code::Wait, "gang"), 1min};
  };
  Start();
  out_.clear();
  binding_.OnNodeDeleted("other", turn());
  EXPECT_EQ(binding_.state(pod_), BindingState::Permit);
  binding_.OnNodeDeleted("a", turn());
  EXPECT_EQ(binding_.state(pod_), BindingState::None);
  EXPECT_EQ(Take<api::RecordEvent>().at(0).message, "node \"a\" not found");
}

TEST_F(BindingCycleTest, APodThatAnotherSchedulerBoundIsDropped) {
  Start();
  Confirm("elsewhere");
  EXPECT_EQ(binding_.state(pod_), BindingState::None);
  EXPECT_FALSE(queue_.Contains(pod_));
  EXPECT_EQ(binding_.assumed(), 0U);
}

}  // namespace
}  // namespace plimsoll::scheduler
