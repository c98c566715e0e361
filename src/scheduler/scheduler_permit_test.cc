#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "scheduler/scheduler_for_test.h"

namespace plimsoll::scheduler {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// A plugin holds every pod at Permit until the test decides.
class PermitTest : public SchedulerHarness, public testing::Test {
 protected:
  PermitTest() {
    Deliver(Node("a"));
    Sync();
    gang_->permit = [this](PodId id, WaitingPods& waiting) {
      waiting_ = &waiting;
      pod_ = id;
      return PermitOutcome{Verdict{Code::Wait, {}, {}}, timeout_};
    };
    const auto note = [this](std::string name) {
      return [this, name] {
        unreserved_.push_back(name);
        return std::vector<api::Write>();
      };
    };
    volumes_->unreserve = note("Volumes");
    gang_->unreserve = note("Gang");
  }
  void Place(const ObjectPtr& pod) {
    Deliver(pod);
    RunDue();
  }

  Duration timeout_ = 1min;
  WaitingPods* waiting_ = nullptr;
  PodId pod_ = kNoPod;
  std::vector<std::string> unreserved_;
};

TEST_F(PermitTest, AllowedPodsAreBoundAndPostBindIsTold) {
  Place(Pod("web"));
  EXPECT_THAT(TakeBinds(), IsEmpty());
  EXPECT_EQ(scheduler_->assumed(), 1U);
  // The pod's nominatedNodeName is set while it waits.
  const auto patches = Take<UpdatePodStatus>();
  ASSERT_THAT(patches, SizeIs(1));
  EXPECT_EQ(patches[0].nominated_node, "a");
  Advance(59s);
  EXPECT_THAT(TakeBinds(), IsEmpty());
  waiting_->Allow(pod_, "Gang");
  RunDue();
  EXPECT_THAT(TakeBinds(), ElementsAre("web→a"));
  EXPECT_THAT(gang_->bound, IsEmpty());
  Finish(last_binds_[0].id);
  EXPECT_THAT(gang_->bound, ElementsAre("web→a"));
  Advance(1h);
  EXPECT_THAT(unreserved_, IsEmpty());
  EXPECT_THAT(registry_->Text(),
              HasSubstr("scheduler_permit_wait_duration_seconds_sum{result=\"Success\"} 59"));
}

TEST_F(PermitTest, OneThatComesMayLetOthersGo) {
  Deliver(Node("b"));
  std::vector<PodId> held;
  gang_->permit = [&](PodId id, WaitingPods& waiting) {
    if (held.empty()) {
      held.push_back(id);
      return PermitOutcome{Verdict{Code::Wait, {}, {}}, 1min};
    }
    waiting.Allow(held[0], "Gang");
    return PermitOutcome();
  };
  Place(Pod("first"));
  EXPECT_THAT(TakeBinds(), IsEmpty());
  Place(Pod("second"));
  EXPECT_THAT(TakeBinds(), SizeIs(2));
}

TEST_F(PermitTest, TheTimeIsUp) {
  Place(Pod("web"));
  out_.clear();
  EXPECT_EQ(scheduler_->NextWake(), now_ + 1min);
  Advance(1min);
  EXPECT_THAT(TakeEvents(),
              ElementsAre("FailedScheduling: 0/1 nodes are available: 1 rejected due to timeout "
                          "after waiting 1m0s at plugin Gang."));
  EXPECT_THAT(unreserved_, ElementsAre("Gang", "Volumes"));
  EXPECT_EQ(scheduler_->assumed(), 0U);
  EXPECT_EQ(scheduler_->pending(), (PendingCounts{.unschedulable = 1}));
  waiting_->Allow(pod_, "Gang");
  RunDue();
  EXPECT_THAT(TakeBinds(), IsEmpty());
}

TEST_F(PermitTest, NobodyWaitsLongerThanAQuarterOfAnHour) {
  timeout_ = 2h;
  Place(Pod("web"));
  out_.clear();
  Advance(15min);
  EXPECT_THAT(TakeEvents(), ElementsAre(HasSubstr("after waiting 15m0s at plugin Gang")));
}

TEST_F(PermitTest, ARejectedPodMakesRoomForOthersAndWaitsForAnEvent) {
  Place(Pod("web"));
  Place(Pod("second"));  // node a is full
  gang_->permit = nullptr;
  out_.clear();
  now_ += 2s;
  waiting_->Reject(pod_, "Gang", "the others do not come");
  RunDue();
  EXPECT_THAT(TakeEvents(), ElementsAre("FailedScheduling: 0/1 nodes are available: 1 the others "
                                        "do not come."));
  EXPECT_THAT(TakeBinds(), ElementsAre("second→a"));
  Deliver(Node("b"));  // only Room is interested in nodes
  Advance(1s);
  EXPECT_THAT(TakeBinds(), IsEmpty());
}

TEST_F(PermitTest, RefusesAtOnce) {
  gang_->permit = [](PodId, WaitingPods&) {
    return PermitOutcome{Verdict::Of(Code::Unschedulable, "not yet"), {}};
  };
  Place(Pod("web"));
  EXPECT_THAT(TakeEvents(), ElementsAre("FailedScheduling: 0/1 nodes are available: 1 not yet."));
  EXPECT_THAT(unreserved_, ElementsAre("Gang", "Volumes"));
  EXPECT_EQ(scheduler_->pending(), (PendingCounts{.unschedulable = 1}));
}

TEST_F(PermitTest, AnErrorIsAFailure) {
  gang_->permit = [](PodId, WaitingPods&) {
    return PermitOutcome{Verdict::Of(Code::Error, "broken"), {}};
  };
  Place(Pod("web"));
  EXPECT_THAT(TakeEvents(),
              ElementsAre("FailedScheduling: running Permit plugin \"Gang\": broken"));
  EXPECT_EQ(scheduler_->pending(), (PendingCounts{.backoff = 1}));
}

TEST_F(PermitTest, APodOrANodeThatGoesEndsTheWait) {
  Place(Pod("web"));
  DeliverDeleted(Pod("web"));
  EXPECT_THAT(unreserved_, ElementsAre("Gang", "Volumes"));
  EXPECT_FALSE(waiting_->IsWaiting(pod_));
  Place(Pod("second"));
  out_.clear();
  DeliverDeleted(Node("a"));
  EXPECT_THAT(TakeEvents(), ElementsAre("FailedScheduling: node \"a\" not found"));
  EXPECT_THAT(waiting_->pods(), IsEmpty());
}

TEST_F(PermitTest, AVictimThatWaitsIsRejectedAndNotDeleted) {
  Place(Pod("victim"));
  const PodId victim = pod_;
  preemption_->post_filter = [&](PodId) {
    PostFilterOutcome outcome;
    outcome.verdict = Verdict::Of(Code::Success, "found room");
    outcome.nomination = PostFilterOutcome::Nomination::Set;
    outcome.node = *scheduler_->cluster().FindNode("a");
    outcome.victims = {victim};
    return outcome;
  };
  gang_->permit = nullptr;
  out_.clear();
  Place(Pod("web", "priority: 9"));
  EXPECT_THAT(Take<EvictPod>(), IsEmpty());
  EXPECT_THAT(TakeEvents(), ElementsAre(HasSubstr("found room"),
                                        "Preempted: Preempted by pod uid-default-web on node a",
                                        "FailedScheduling: 0/1 nodes are available: 1 preempted."));
  Advance(2s);
  EXPECT_THAT(TakeBinds(), ElementsAre("web→a"));
}

}  // namespace
}  // namespace plimsoll::scheduler
