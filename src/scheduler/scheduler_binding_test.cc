#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "scheduler/scheduler_for_test.h"

namespace plimsoll::scheduler {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

/// Starts with a pod whose binding request is in flight.
class BindingTest : public SchedulerHarness, public testing::Test {
 protected:
  BindingTest() {
    Deliver(Node("a"));
    Sync();
    Deliver(Pod("web"));
    RunDue();
    EXPECT_THAT(TakeBinds(), ElementsAre("web→a"));
    bind_ = last_binds_[0].id;
  }
  void Answer(Reason reason, std::string message = "why") {
    Finish(bind_, Fail(reason, std::move(message)));
  }

  ActionId bind_ = 0;
};

TEST_F(BindingTest, AFailureGivesThePodBack) {
  Answer(Reason::Conflict, "pod web is already assigned to node \"x\"");
  const std::string why =
      "running Bind plugin \"DefaultBinder\": pod web is already assigned to node \"x\"";
  EXPECT_THAT(TakeEvents(), ElementsAre("FailedScheduling: " + why));
  const auto patches = Take<UpdatePodStatus>();
  ASSERT_THAT(patches, SizeIs(1));
  EXPECT_EQ(patches[0].condition->reason, "SchedulerError");
  EXPECT_EQ(patches[0].condition->message, why);
  EXPECT_EQ(volumes_->unreserved, 1);
  EXPECT_EQ(scheduler_->assumed(), 0U);
  EXPECT_EQ(scheduler_->pending(), (PendingCounts{.backoff = 1}));
  RunDue();
  EXPECT_THAT(TakeBinds(), IsEmpty());
  Advance(1s);
  EXPECT_THAT(TakeBinds(), ElementsAre("web→a"));
}

TEST_F(BindingTest, RoomThatIsGivenBackHelpsOthers) {
  Deliver(Pod("second"));
  RunDue();
  EXPECT_THAT(TakeBinds(), IsEmpty());
  now_ += 2s;
  Answer(Reason::Forbidden);
  RunDue();
  EXPECT_THAT(TakeBinds(), ElementsAre("second→a"));
}

TEST_F(BindingTest, APodThatWasBoundElsewhereIsDropped) {
  Answer(Reason::Conflict);
  out_.clear();
  Deliver(PodOn("web", "elsewhere"));
  Advance(1min);
  EXPECT_THAT(out_, IsEmpty());
  EXPECT_EQ(scheduler_->pending().total(), 0U);
}

TEST_F(BindingTest, AnotherNodeThanAskedForEndsIt) {
  Deliver(PodOn("web", "elsewhere"));
  EXPECT_EQ(volumes_->unreserved, 1);
  EXPECT_EQ(scheduler_->assumed(), 0U);
  Answer(Reason::Conflict);
  EXPECT_THAT(out_, IsEmpty());
  Deliver(Pod("second"));
  RunDue();
  EXPECT_THAT(TakeBinds(), ElementsAre("second→a"));
}

TEST_F(BindingTest, APodThatIsDeletedIsForgotten) {
  DeliverDeleted(Pod("web"));
  EXPECT_EQ(scheduler_->assumed(), 0U);
  Deliver(Pod("second"));  // may reuse the first pod's PodId
  RunDue();
  EXPECT_THAT(TakeBinds(), ElementsAre("second→a"));
  const ActionId second = last_binds_[0].id;
  Answer(Reason::NotFound);
  EXPECT_THAT(out_, IsEmpty());
  EXPECT_EQ(scheduler_->assumed(), 1U);
  Finish(second);
  EXPECT_THAT(TakeEvents(), ElementsAre("Scheduled: Successfully assigned default/second to a"));
}

TEST_F(BindingTest, WhatNobodyKnowsIsAskedForAgain) {
  for (const Reason reason : {Reason::Timeout, Reason::ServiceUnavailable, Reason::InternalError}) {
    Answer(reason);
    EXPECT_THAT(out_, IsEmpty());
    EXPECT_EQ(scheduler_->assumed(), 1U);
    Deliver(Node("b" + std::to_string(static_cast<int>(reason)), 5));
    Advance(10s);
    EXPECT_THAT(TakeBinds(), ElementsAre("web→a"));
    bind_ = last_binds_[0].id;
  }
  Finish(bind_);
  EXPECT_THAT(TakeEvents(), SizeIs(1));
}

TEST_F(BindingTest, ARefusalAfterNobodyKnewMeansThatItWasDone) {
  Answer(Reason::Timeout);
  Advance(1s);
  TakeBinds();
  bind_ = last_binds_[0].id;
  Answer(Reason::Conflict);
  EXPECT_THAT(out_, IsEmpty());
  EXPECT_EQ(scheduler_->assumed(), 1U);  // the pod stays assumed
  Deliver(Pod("second"));
  Advance(1min);
  EXPECT_THAT(TakeBinds(), IsEmpty());
  out_.clear();
  Deliver(PodOn("web", "a"));
  EXPECT_THAT(TakeEvents(), ElementsAre("Scheduled: Successfully assigned default/web to a"));
  EXPECT_EQ(scheduler_->assumed(), 0U);
}

TEST_F(BindingTest, TheInformersWordIsEnough) {
  Answer(Reason::Timeout);
  Deliver(PodOn("web", "a"));
  EXPECT_THAT(TakeEvents(), ElementsAre("Scheduled: Successfully assigned default/web to a"));
  Advance(1min);
  EXPECT_THAT(TakeBinds(), IsEmpty());
}

TEST_F(BindingTest, AnAnswerThatComesAfterTheInformersWordChangesNothing) {
  Deliver(PodOn("web", "a"));
  Answer(Reason::Timeout);
  EXPECT_THAT(TakeEvents(), ElementsAre("Scheduled: Successfully assigned default/web to a"));
  EXPECT_EQ(scheduler_->assumed(), 0U);
}

TEST_F(BindingTest, AnOldVersionDoesNotBringABoundPodBack) {
  Finish(bind_);
  out_.clear();
  Deliver(Pod("web", {}, "labels: {late: news}"));
  RunDue();
  EXPECT_THAT(out_, IsEmpty());
  EXPECT_EQ(scheduler_->pending().total(), 0U);
  EXPECT_EQ(scheduler_->assumed(), 1U);
}

TEST_F(BindingTest, ANodeThatGoesMeanwhile) {
  DeliverDeleted(Node("a"));
  Finish(bind_);
  EXPECT_THAT(TakeEvents(), SizeIs(1));
  Deliver(PodOn("web", "a"));
  RunDue();
  EXPECT_THAT(out_, IsEmpty());
  EXPECT_EQ(scheduler_->assumed(), 0U);
}

TEST_F(BindingTest, ANodeThatGoesBeforeAFailure) {
  DeliverDeleted(Node("a"));
  Answer(Reason::Forbidden);
  out_.clear();
  Deliver(Node("b"));
  Advance(1s);
  EXPECT_THAT(TakeBinds(), ElementsAre("web→b"));
}

TEST_F(BindingTest, GaugesFollowThePodToItsNode) {
  const auto holds = [&](const std::string& line) {
    RunDue();
    return ("\n" + registry_->Text()).find("\nscheduler_" + line + "\n") != std::string::npos;
  };
  const std::string assumed = "cache_size{type=\"assumed_pods\"} ";
  const std::string pending = "pending_async_api_calls{call_type=\"pod_binding\"} ";
  EXPECT_TRUE(holds(assumed + "1"));
  EXPECT_TRUE(holds(pending + "1"));
  Finish(bind_);
  EXPECT_TRUE(holds(pending + "0"));
  EXPECT_TRUE(holds(assumed + "1"));
  Deliver(PodOn("web", "a"));
  EXPECT_TRUE(holds(assumed + "0"));
  EXPECT_TRUE(holds("cache_size{type=\"pods\"} 1"));
  EXPECT_TRUE(
      holds("async_api_call_execution_total{call_type=\"pod_binding\",result=\"success\"} 1"));
  EXPECT_TRUE(holds("event_handling_duration_seconds_count{event=\"NodeAdd\"} 1"));
  EXPECT_TRUE(holds("event_handling_duration_seconds_count{event=\"UnschedulablePodAdd\"} 1"));
  EXPECT_TRUE(holds("event_handling_duration_seconds_count{event=\"AssignedPodAdd\"} 1"));
}

class PreBindTest : public SchedulerHarness, public testing::Test {
 protected:
  PreBindTest() {
    Deliver(Node("a"));
    Sync();
  }

  static PreBindOutcome Wait(std::vector<api::Write> patches = {}) {
    PreBindOutcome outcome;
    outcome.verdict.code = Code::Wait;
    outcome.writes = std::move(patches);
    outcome.waits_for = {{EventResource::PersistentVolumeClaim, kUpdate}};
    return outcome;
  }
  static ObjectPtr Claim(std::string_view metadata = {}) {
    return Named("PersistentVolumeClaim", "default", "c", "spec: {}", metadata);
  }
};

TEST_F(PreBindTest, WritesThenWaitsThenBinds) {
  const ObjectPtr claim = Claim();
  Deliver(claim);
  int asked = 0;
  volumes_->pre_bind = [&](PodId, Instant) {
    ++asked;
    if (asked == 1) return Wait({api::PatchObject{.object = claim, .body = "{}"}});
    return asked < 4 ? Wait() : PreBindOutcome();
  };
  Deliver(Pod("web"));
  RunDue();
  const auto writes = Take<WriteInOrder>();
  ASSERT_THAT(writes, SizeIs(1));
  EXPECT_EQ(std::get<api::PatchObject>(writes[0].writes[0]).object.object(), claim);
  // The pod's nominatedNodeName is set while PreBind waits.
  const auto patches = Take<UpdatePodStatus>();
  ASSERT_THAT(patches, SizeIs(1));
  EXPECT_EQ(patches[0].nominated_node, "a");
  Deliver(Claim("labels: {a: b}"));  // while the write is in flight
  EXPECT_EQ(asked, 1);
  Finish(writes[0].id);
  EXPECT_EQ(asked, 2);
  Deliver(Node("b"));
  EXPECT_EQ(asked, 2);
  Deliver(Claim("labels: {a: c}"));
  EXPECT_EQ(asked, 3);
  EXPECT_THAT(TakeBinds(), IsEmpty());
  Deliver(Claim("labels: {a: d}"));
  EXPECT_THAT(TakeBinds(), ElementsAre("web→a"));
  EXPECT_EQ(volumes_->unreserved, 0);
}

TEST_F(PreBindTest, AFailedWriteGivesThePodBack) {
  const ObjectPtr claim = Claim();
  volumes_->pre_bind = [&](PodId, Instant) {
    return Wait({api::PatchObject{.object = claim, .body = "{}"}});
  };
  Deliver(Pod("web"));
  RunDue();
  const auto writes = Take<WriteInOrder>();
  ASSERT_THAT(writes, SizeIs(1));
  Finish(writes[0].id, Fail(Reason::Conflict, "old"));
  EXPECT_THAT(TakeEvents(),
              ElementsAre("FailedScheduling: running PreBind plugin \"Volumes\": old"));
  EXPECT_EQ(volumes_->unreserved, 1);
  EXPECT_EQ(scheduler_->assumed(), 0U);
}

TEST_F(PreBindTest, IsAskedAgainAtTheDeadline) {
  const Instant deadline = now_ + 10min;
  volumes_->pre_bind = [&](PodId, Instant now) {
    PreBindOutcome outcome = Wait();
    outcome.deadline = deadline;
    if (now >= deadline) outcome.verdict = Verdict::Of(Code::Error, "timed out");
    return outcome;
  };
  Deliver(Pod("web"));
  RunDue();
  out_.clear();
  EXPECT_EQ(scheduler_->NextWake(), deadline);
  Advance(10min);
  EXPECT_THAT(TakeEvents(),
              ElementsAre("FailedScheduling: running PreBind plugin \"Volumes\": timed out"));
}

TEST_F(PreBindTest, ANodeThatGoesEndsTheWait) {
  volumes_->pre_bind = [](PodId, Instant) { return Wait(); };
  Deliver(Pod("web"));
  RunDue();
  out_.clear();
  DeliverDeleted(Node("a"));
  EXPECT_THAT(TakeEvents(), ElementsAre("FailedScheduling: node \"a\" not found"));
  EXPECT_EQ(volumes_->unreserved, 1);
}

TEST_F(PreBindTest, APodThatIsDeletedMeanwhileIsUnreserved) {
  volumes_->pre_bind = [](PodId, Instant) { return Wait(); };
  Deliver(Pod("web"));
  RunDue();
  out_.clear();
  DeliverDeleted(Pod("web"));
  EXPECT_EQ(volumes_->unreserved, 1);
  Advance(20min);
  EXPECT_THAT(out_, IsEmpty());
  EXPECT_EQ(scheduler_->assumed(), 0U);
}

TEST_F(PreBindTest, AReservationThatIsRefusedIsARefusal) {
  volumes_->reserve = [](PodId, NodeSlot) { return Verdict::Of(Code::Unschedulable, "taken"); };
  Deliver(Pod("web"));
  RunDue();
  EXPECT_THAT(TakeEvents(), ElementsAre("FailedScheduling: 0/1 nodes are available: 1 taken."));
  EXPECT_EQ(scheduler_->pending(), (PendingCounts{.unschedulable = 1}));
  EXPECT_EQ(scheduler_->assumed(), 0U);
}

TEST_F(PreBindTest, AReservationThatFailsIsAnError) {
  volumes_->reserve = [](PodId, NodeSlot) { return Verdict::Of(Code::Error, "broken"); };
  Deliver(Pod("web"));
  RunDue();
  EXPECT_THAT(TakeEvents(),
              ElementsAre("FailedScheduling: running Reserve plugin \"Volumes\": broken"));
  EXPECT_EQ(scheduler_->pending(), (PendingCounts{.backoff = 1}));
}

}  // namespace
}  // namespace plimsoll::scheduler
