#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "scheduler/default_profile_for_test.h"
#include "scheduler/scheduler_for_test.h"

namespace plimsoll::scheduler {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class PreemptionFlowTest : public SchedulerHarness, public testing::Test {
 protected:
  PreemptionFlowTest() {
    Deliver(Node("a"));
    Deliver(PodOn("victim", "a"));
    Sync();
    preemption_->post_filter = [this](PodId) {
      PostFilterOutcome outcome;
      outcome.verdict = Verdict::Of(Code::Success, "found room");
      outcome.nomination = PostFilterOutcome::Nomination::Set;
      outcome.node = *scheduler_->cluster().FindNode("a");
      outcome.victims = scheduler_->cluster().row(outcome.node).pods;
      return outcome;
    };
    Deliver(Pod("web", "priority: 9"));
    RunDue();
  }
};

TEST_F(PreemptionFlowTest, EvictsAndWaits) {
  EXPECT_THAT(
      TakeEvents(),
      ElementsAre("FailedScheduling: 0/1 nodes are available: 1 Too many pods. found room"));
  const auto patches = Take<UpdatePodStatus>();
  ASSERT_THAT(patches, SizeIs(1));
  EXPECT_EQ(patches[0].nominated_node, "a");
  const auto evictions = Take<EvictPod>();
  ASSERT_THAT(evictions, SizeIs(1));
  EXPECT_EQ(evictions[0].pod.name(), "victim");
  EXPECT_EQ(evictions[0].message,
            "default-scheduler: preempting to accommodate a higher priority pod");
  Advance(2s);
  // The victim is gone before the eviction finishes: the preemptor is not tried until then.
  DeliverDeleted(PodOn("victim", "a"));
  RunDue();
  EXPECT_THAT(TakeBinds(), IsEmpty());
  Finish(evictions[0].id);
  const auto events = Take<RecordEvent>();
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(events[0].reason, "Preempted");
  EXPECT_EQ(events[0].action, "Preempting");
  EXPECT_EQ(events[0].message, "Preempted by pod uid-default-web on node a");
  EXPECT_EQ(events[0].related.name(), "web");
  RunDue();
  EXPECT_THAT(TakeBinds(), ElementsAre("web→a"));
}

TEST_F(PreemptionFlowTest, AFailedEvictionIsTriedAgain) {
  const auto evictions = Take<EvictPod>();
  out_.clear();
  Finish(evictions[0].id, Fail(Reason::Forbidden, "no"));
  EXPECT_THAT(out_, IsEmpty());
  EXPECT_EQ(scheduler_->pending(), (PendingCounts{.active = 1}));
  RunDue();
  EXPECT_THAT(Take<EvictPod>(), SizeIs(1));
}

TEST_F(PreemptionFlowTest, AVictimThatIsGoneNeedsNoEvent) {
  const auto evictions = Take<EvictPod>();
  out_.clear();
  Finish(evictions[0].id, Fail(Reason::NotFound, "gone"));
  EXPECT_THAT(out_, IsEmpty());
  EXPECT_EQ(scheduler_->pending(), (PendingCounts{.unschedulable = 1}));
}

TEST_F(PreemptionFlowTest, APreemptorThatGoesLeavesNothing) {
  const auto evictions = Take<EvictPod>();
  DeliverDeleted(Pod("web"));
  out_.clear();
  Finish(evictions[0].id);
  EXPECT_THAT(TakeEvents(), SizeIs(1));
  EXPECT_EQ(scheduler_->pending().total(), 0U);
  const ClusterState& cluster = scheduler_->cluster();
  EXPECT_THAT(cluster.row(*cluster.FindNode("a")).nominated, IsEmpty());
}

TEST_F(PreemptionFlowTest, AnswersOfEarlierEvictionsDoNotCountForAPodThatCameBack) {
  const auto old = Take<EvictPod>();
  ASSERT_THAT(old, SizeIs(1));
  DeliverDeleted(Pod("web", "priority: 9"));
  Deliver(Pod("web", "priority: 9"));  // the same uid, as after a relist
  RunDue();
  const auto current = Take<EvictPod>();
  ASSERT_THAT(current, SizeIs(1));
  Finish(old[0].id, Fail(Reason::Forbidden, "no"));
  EXPECT_EQ(scheduler_->pending(), (PendingCounts{.unschedulable = 1})) << "it still waits";
  RunDue();
  EXPECT_THAT(Take<EvictPod>(), IsEmpty());
}

class SharedRefusalTest : public SchedulerHarness, public testing::Test {
 protected:
  SharedRefusalTest()
      : SchedulerHarness([](ClusterState& cluster) { return MakeDefaultProfile(cluster, {}); }) {}

  static ObjectPtr PodWithDisk(std::string_view name, std::string_view disk,
                               std::string_view node = {}) {
    std::string spec = "volumes: [{name: v, gcePersistentDisk: {pdName: ";
    spec.append(disk).append("}}]");
    if (!node.empty()) spec.append(", nodeName: ").append(node);
    return Pod(name, spec);
  }
};

TEST_F(SharedRefusalTest, DoesNotHoldForAPodWithAnotherDisk) {
  Deliver(Node("a", 10));
  Deliver(PodWithDisk("user", "one", "a"));
  Sync();
  Deliver(PodWithDisk("refused", "one"));
  Deliver(PodWithDisk("fits", "two"));
  RunDue();
  EXPECT_THAT(TakeBinds(), ElementsAre("fits→a"));
}

class NominationTest : public SchedulerHarness, public testing::Test {};

TEST_F(NominationTest, IsTakenFromTheServer) {
  Deliver(Pod("web", {}, {}, "{nominatedNodeName: a}"));
  Deliver(Node("a", 0));
  Sync();
  const ClusterState& cluster = scheduler_->cluster();
  const NodeSlot slot = *cluster.FindNode("a");
  EXPECT_THAT(cluster.row(slot).nominated, SizeIs(1));
  Deliver(Pod("web"));
  EXPECT_THAT(cluster.row(slot).nominated, IsEmpty());
}

}  // namespace
}  // namespace plimsoll::scheduler
