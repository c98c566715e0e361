#include "scheduler/scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>

#include "scheduler/scheduler_for_test.h"

namespace plimsoll::scheduler {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::SizeIs;

class SchedulerTest : public SchedulerHarness, public testing::Test {};

TEST_F(SchedulerTest, BindsAPod) {
  Deliver(Node("n"));
  Deliver(Pod("web"));
  Sync();
  RunDue();
  EXPECT_THAT(TakeBinds(), ElementsAre("web→n"));
  EXPECT_THAT(out_, IsEmpty());
  EXPECT_EQ(scheduler_->assumed(), 1U);
  Finish(last_binds_[0].id);
  const auto events = Take<RecordEvent>();
  ASSERT_THAT(events, SizeIs(1));
  EXPECT_EQ(events[0].type, EventType::Normal);
  EXPECT_EQ(events[0].reason, "Scheduled");
  EXPECT_EQ(events[0].action, "Binding");
  EXPECT_EQ(events[0].message, "Successfully assigned default/web to n");
  EXPECT_EQ(events[0].component, "default-scheduler");
  EXPECT_EQ(events[0].regarding.name(), "web");
  Deliver(PodOn("web", "n"));
  EXPECT_EQ(scheduler_->assumed(), 0U);
  EXPECT_THAT(out_, IsEmpty());
  RunDue();
  EXPECT_EQ(scheduler_->NextWake(), std::nullopt);
  EXPECT_EQ(scheduler_->pending(), PendingCounts{});
}

TEST_F(SchedulerTest, TheInformerMayBeFasterThanTheAnswer) {
  Deliver(Node("n"));
  Deliver(Pod("web"));
  Sync();
  RunDue();
  TakeBinds();
  Deliver(PodOn("web", "n"));
  EXPECT_THAT(TakeEvents(), IsEmpty());
  Finish(last_binds_[0].id);
  EXPECT_THAT(TakeEvents(), ElementsAre("Scheduled: Successfully assigned default/web to n"));
  EXPECT_EQ(scheduler_->assumed(), 0U);
  Finish(last_binds_[0].id);  // reported twice
  EXPECT_THAT(out_, IsEmpty());
}

TEST_F(SchedulerTest, PlacesNothingBeforeItKnowsEverything) {
  Deliver(Node("n"));
  Deliver(Pod("web"));
  EXPECT_EQ(scheduler_->NextWake(), std::nullopt);
  scheduler_->Wake({now_, out_});
  EXPECT_THAT(out_, IsEmpty());
  // The node is full.
  Deliver(PodOn("other", "n"));
  Sync();
  RunDue();
  EXPECT_THAT(TakeBinds(), IsEmpty());
}

TEST_F(SchedulerTest, NeverPutsMoreOnANodeThanItHolds) {
  Deliver(Node("a", 2));
  Deliver(Node("b", 3));
  for (int i = 0; i < 10; ++i) Deliver(Pod("p" + std::to_string(i)));
  Sync();
  RunDue();
  std::multiset<std::string> nodes;
  for (const BindPod& bind : Take<BindPod>()) nodes.insert(bind.node);
  EXPECT_EQ(nodes, (std::multiset<std::string>{"a", "a", "b", "b", "b"}));
  EXPECT_EQ(scheduler_->pending().unschedulable, 5U);
}

TEST_F(SchedulerTest, ARestartGoesOnWhereItStood) {
  Deliver(Node("a", 2));
  for (int i = 0; i < 4; ++i) Deliver(Pod("p" + std::to_string(i)));
  Sync();
  RunDue();
  EXPECT_THAT(TakeBinds(), SizeIs(2));
  // The first binding succeeded, the second did not. Then the scheduler was killed.
  const std::string bound(last_binds_[0].pod.name());
  delivered_["Pod/default/" + bound] = PodOn(bound, "a");
  const auto known = delivered_;
  delivered_.clear();
  Start();
  for (const auto& [key, object] : known) Deliver(object);
  Sync();
  RunDue();
  EXPECT_THAT(TakeBinds(), SizeIs(1));
  EXPECT_NE(last_binds_[0].pod.name(), bound);
}

TEST_F(SchedulerTest, TriesNoMorePodsAtOnceThanItMay) {
  cycles_max_ = 3;
  Start();
  Deliver(Node("n", 10));
  for (int i = 0; i < 5; ++i) Deliver(Pod("p" + std::to_string(i)));
  Sync();
  scheduler_->Wake({now_, out_});
  EXPECT_THAT(TakeBinds(), SizeIs(3));
  EXPECT_LE(*scheduler_->NextWake(), now_);
  scheduler_->Wake({now_, out_});
  EXPECT_THAT(TakeBinds(), SizeIs(2));
}

TEST_F(SchedulerTest, SaysWhyNoNodeWillDo) {
  Deliver(Node("a", 0));
  Deliver(Node("b", 0));
  const ObjectPtr pod = Pod("web", {}, "generation: 4");
  Deliver(pod);
  Sync();
  RunDue();
  const std::string why = "0/2 nodes are available: 2 Too many pods. no help";
  EXPECT_THAT(TakeEvents(), ElementsAre("FailedScheduling: " + why));
  const auto patches = Take<UpdatePodStatus>();
  ASSERT_THAT(patches, SizeIs(1));
  EXPECT_EQ(patches[0].condition, (PodCondition{.type = "PodScheduled",
                                                .status = false,
                                                .reason = "Unschedulable",
                                                .message = why,
                                                .transitioned = now_,
                                                .observed_generation = 4}));
  EXPECT_EQ(patches[0].nominated_node, std::nullopt);
  EXPECT_THAT(out_, IsEmpty());
  const Diagnosis* const diagnosis = scheduler_->LastDiagnosis(pod->metadata());
  ASSERT_NE(diagnosis, nullptr);
  EXPECT_THAT(diagnosis->unschedulable_plugins, ElementsAre("Room"));
  EXPECT_EQ(diagnosis->Message(), why);
  Finish(patches[0].id, Fail(Reason::Conflict, "of no importance"));
  EXPECT_EQ(scheduler_->pending(), (PendingCounts{.unschedulable = 1}));
}

TEST_F(SchedulerTest, ARefusedPodIsPlacedWhenSomethingHelps) {
  Deliver(Node("a", 0));
  const ObjectPtr pod = Pod("web");
  Deliver(pod);
  Sync();
  RunDue();
  out_.clear();
  Deliver(Node("a", 0, ", conditions: [{type: Ready, status: 'True'}]"));
  RunDue();
  EXPECT_THAT(out_, IsEmpty());
  Deliver(Node("a", 1, ", conditions: [{type: Ready, status: 'True'}]"));
  RunDue();
  EXPECT_THAT(TakeBinds(), ElementsAre("web→a"));
  Finish(last_binds_[0].id);
  EXPECT_EQ(scheduler_->LastDiagnosis(pod->metadata()), nullptr);
}

TEST_F(SchedulerTest, TheSameConditionIsNotWrittenAgain) {
  Deliver(Node("a", 0));
  Deliver(Pod("web"));
  Sync();
  RunDue();
  const auto patches = Take<UpdatePodStatus>();
  ASSERT_THAT(patches, SizeIs(1));
  Deliver(
      Pod("web", {}, {},
          "{conditions: [{type: PodScheduled, status: 'False', reason: Unschedulable, message: '" +
              patches[0].condition->message + "'}]}"));
  now_ += 1min;
  out_.clear();
  Deliver(PodOn("other", "elsewhere"));
  DeliverDeleted(PodOn("other", "elsewhere"));
  RunDue();
  EXPECT_THAT(TakeEvents(), SizeIs(1));
  EXPECT_THAT(out_, IsEmpty());
  Deliver(Node("b", 0));  // the number of nodes changes the message
  RunDue();
  const auto changed = Take<UpdatePodStatus>();
  ASSERT_THAT(changed, SizeIs(1));
  EXPECT_EQ(changed[0].condition->transitioned, std::nullopt);
}

TEST_F(SchedulerTest, WithoutNodesItTriesAgainAfterAWhile) {
  Deliver(Pod("web"));
  Sync();
  RunDue();
  EXPECT_THAT(TakeEvents(), ElementsAre("FailedScheduling: no nodes available to schedule pods"));
  EXPECT_EQ(Take<UpdatePodStatus>()[0].condition->reason, "Unschedulable");
  EXPECT_EQ(scheduler_->pending(), (PendingCounts{.backoff = 1}));
  Deliver(Node("n"));
  RunDue();
  EXPECT_THAT(TakeBinds(), IsEmpty());
  Advance(1s);
  EXPECT_THAT(TakeBinds(), ElementsAre("web→n"));
}

TEST_F(SchedulerTest, PodsOfOneClassAreRefusedTogether) {
  for (int i = 0; i < 20; ++i) Deliver(Node("n" + std::to_string(i), 0));
  for (int i = 0; i < 100; ++i) Deliver(Pod("p" + std::to_string(i)));
  Sync();
  RunDue();
  EXPECT_LE(room_->judged, 100);  // 20 nodes: placed and explained once, not 100 times
  EXPECT_THAT(TakeEvents(), SizeIs(100));
  EXPECT_EQ(scheduler_->pending(), (PendingCounts{.unschedulable = 100}));
}

TEST_F(SchedulerTest, APodThatEndsMakesRoom) {
  Deliver(Node("n"));
  Deliver(PodOn("old", "n"));
  Deliver(Pod("web"));
  Sync();
  RunDue();
  EXPECT_THAT(TakeBinds(), IsEmpty());
  Deliver(PodOn("old", "n", "{phase: Succeeded}"));
  RunDue();
  EXPECT_THAT(TakeBinds(), ElementsAre("web→n"));
  DeliverDeleted(PodOn("old", "n"));
}

TEST_F(SchedulerTest, LeavesPodsOfOthersAlone) {
  Deliver(Node("n", 2));
  Deliver(PodFromYaml("theirs", "{schedulerName: other}"));
  Sync();
  RunDue();
  EXPECT_THAT(out_, IsEmpty());
  EXPECT_EQ(scheduler_->pending().total(), 0U);
  Deliver(PodFromYaml("theirs", "{schedulerName: other, nodeName: 'n'}"));
  Deliver(Pod("a"));
  Deliver(Pod("b"));
  RunDue();
  EXPECT_THAT(TakeBinds(), ElementsAre("a→n"));  // the other scheduler's binding counts
}

TEST_F(SchedulerTest, APodThatIsGoingIsNotPlaced) {
  Deliver(Node("n"));
  Deliver(Pod("web", {}, "deletionTimestamp: '2026-01-01T00:00:00Z'"));
  Sync();
  RunDue();
  EXPECT_THAT(TakeEvents(),
              ElementsAre("FailedScheduling: skip schedule deleting pod: default/web"));
  EXPECT_THAT(out_, IsEmpty());
  EXPECT_EQ(scheduler_->pending().total(), 0U);
}

TEST_F(SchedulerTest, APodMadeAnewUnderItsNameIsAnother) {
  Deliver(Node("n", 0));
  Deliver(Pod("web"));
  Sync();
  RunDue();
  out_.clear();
  const ObjectPtr again = FromYaml(
      "apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: default, uid: another}\n"
      "spec: {schedulerName: default-scheduler}");
  Deliver(again);
  RunDue();
  EXPECT_THAT(TakeEvents(), SizeIs(1));
  EXPECT_EQ(scheduler_->pending(), (PendingCounts{.unschedulable = 1}));
}

TEST_F(SchedulerTest, UnknownKindsArePassedOver) {
  Deliver(Named("ConfigMap", "default", "c", ""));
  DeliverDeleted(Named("ConfigMap", "default", "c", ""));
  Deliver(Named("Namespace", "", "default", ""));
  EXPECT_EQ(scheduler_->cluster().namespaces.size(), 1U);
  DeliverDeleted(Named("Namespace", "", "default", ""));
  EXPECT_EQ(scheduler_->cluster().namespaces.size(), 0U);
}

TEST_F(SchedulerTest, CountsWhatItDoes) {
  Deliver(Node("n"));
  Deliver(Pod("a", "tolerations: [{key: k, operator: Gt, value: '5'}]"));
  Deliver(Pod("b"));
  Sync();
  RunDue();
  TakeBinds();
  Finish(last_binds_[0].id);
  scheduler_->Wake({now_, out_});
  const std::string text = registry_->Text();
  for (const std::string want :
       {"scheduler_schedule_attempts_total{profile=\"default-scheduler\",result=\"scheduled\"} 1",
        "scheduler_schedule_attempts_total{profile=\"default-scheduler\",result=\"unschedulable\"}"
        " 1",
        "scheduler_pending_pods{queue=\"unschedulable\"} 1",
        "scheduler_cache_size{type=\"assumed_pods\"} 1",
        "scheduler_unschedulable_pods{plugin=\"Room\",profile=\"default-scheduler\"} 1",
        "scheduler_queue_incoming_pods_total{event=\"UnschedulablePodAdd\",queue=\"active\"} 2",
        "scheduler_plugin_evaluation_total{extension_point=\"Filter\",plugin=\"Room\",profile="
        "\"default-scheduler\",status=\"Success\"} 1",
        "scheduler_plugin_evaluation_total{extension_point=\"Filter\",plugin=\"Room\",profile="
        "\"default-scheduler\",status=\"Unschedulable\"} 1",
        "scheduler_framework_extension_point_duration_seconds_count{extension_point=\"PreFilter\","
        "profile=\"default-scheduler\",status=\"Success\"} 2",
        "scheduler_framework_extension_point_duration_seconds_count{extension_point=\"Filter\","
        "profile=\"default-scheduler\",status=\"Unschedulable\"} 1",
        "scheduler_framework_extension_point_duration_seconds_count{extension_point=\"Filter\","
        "profile=\"default-scheduler\",status=\"Success\"} 1",
        "scheduler_framework_extension_point_duration_seconds_count{extension_point=\"Bind\","
        "profile=\"default-scheduler\",status=\"Success\"} 1",
        "scheduler_plugin_execution_duration_seconds_count{extension_point=\"Filter\",plugin="
        "\"Room\",status=\"Success\"} 1",
        "scheduler_numeric_tolerations_total 1"}) {
    EXPECT_TRUE(text.contains(want)) << want;
  }
}

}  // namespace
}  // namespace plimsoll::scheduler
