// Pods that use annotations for fields that the API server does not have.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "api/extension/extension.h"
#include "scheduler/default_profile_for_test.h"
#include "scheduler/scheduler_for_test.h"

namespace plimsoll::scheduler {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

class AnnotatedPodTest : public SchedulerHarness, public testing::Test {
 protected:
  AnnotatedPodTest()
      : SchedulerHarness([](ClusterState& cluster) { return MakeDefaultProfile(cluster, {}); }) {
    Deliver(NodeFromYaml("a", "{allocatable: {cpu: '4', memory: 8Gi, pods: '10'}}",
                         "{taints: [{key: kernel, value: 6.5.0, effect: NoSchedule}]}",
                         "labels: {driver: 1.4.0}"));
    Sync();
  }

  void TellPod(std::string_view annotations) {
    Deliver(api::Extend(
        Pod("web", {}, "annotations: {plimsoll.io/" + std::string(annotations) + "}"), {}));
    RunDue();
  }
};

TEST_F(AnnotatedPodTest, AreToleratedAsThoughTheyStoodInTheSpec) {
  TellPod(R"(tolerations: '[{"key":"kernel","operator":"SemverGt","value":"6.1.0"}]')");
  EXPECT_THAT(TakeBinds(), ElementsAre("web→a"));
}

TEST_F(AnnotatedPodTest, AreTriedAnewWhenTheyAskForSomethingElse) {
  TellPod(R"(tolerations: '[{"key":"kernel","operator":"SemverGt","value":"7.0.0"}]')");
  EXPECT_THAT(TakeBinds(), IsEmpty());
  TellPod(R"(tolerations: '[{"key":"kernel","operator":"SemverGt","value":"6.1.0"}]')");
  EXPECT_THAT(TakeBinds(), ElementsAre("web→a"));
}

TEST_F(AnnotatedPodTest, AnotherAffinityIsTriedAnewToo) {
  const auto ask = [&](std::string_view version) {
    TellPod(R"(tolerations: '[{"operator":"Exists"}]', plimsoll.io/node-affinity: )"
            R"('{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":[)"
            R"({"matchExpressions":[{"key":"driver","operator":"SemverGt","values":[")" +
            std::string(version) + R"("]}]}]}}')");
  };
  ask("2.0.0");
  EXPECT_THAT(TakeBinds(), IsEmpty());
  ask("1.0.0");
  EXPECT_THAT(TakeBinds(), ElementsAre("web→a"));
}

TEST_F(AnnotatedPodTest, WhatCannotBeReadIsNeverPlaced) {
  constexpr std::string_view kFault =
      "metadata.annotations[plimsoll.io/tolerations][0].operator: Unsupported value: \"Near\": "
      "supported values: \"Equal\", \"Exists\", \"Lt\", \"Gt\", \"SemverLt\", \"SemverGt\", "
      "\"SemverEq\"";
  // Without the annotation, node b would accept the pod.
  Deliver(NodeFromYaml("b", "{allocatable: {cpu: '4', memory: 8Gi, pods: '10'}}"));
  constexpr std::string_view kWrong = R"(tolerations: '[{"key":"kernel","operator":"Near"}]')";
  TellPod(kWrong);
  EXPECT_THAT(TakeEvents(),
              ElementsAre("InvalidAnnotation: " + std::string(kFault),
                          "FailedScheduling: invalid annotations: " + std::string(kFault)));
  const auto patches = Take<UpdatePodStatus>();
  ASSERT_EQ(patches.size(), 1U);
  ASSERT_TRUE(patches[0].condition.has_value());
  EXPECT_EQ(patches[0].condition->reason, "SchedulerError");
  EXPECT_EQ(patches[0].condition->message, "invalid annotations: " + std::string(kFault));
  // Neither an update, a new node nor time causes a retry.
  TellPod(kWrong);
  Deliver(NodeFromYaml("c", "{allocatable: {cpu: '4', memory: 8Gi, pods: '10'}}"));
  Advance(10min);
  EXPECT_THAT(TakeBinds(), IsEmpty());
  EXPECT_THAT(TakeEvents(), IsEmpty());
  TellPod("tolerations: '[]'");
  EXPECT_EQ(TakeBinds().size(), 1U);
}

TEST_F(AnnotatedPodTest, AFaultTakesAWaitingPodOutOfTheQueue) {
  TellPod("tolerations: '[]'");
  EXPECT_EQ(scheduler_->pending().total(), 1U);
  TellPod("tolerations: '['");
  EXPECT_EQ(scheduler_->pending().total(), 0U);
  DeliverDeleted(Pod("web"));
  EXPECT_THAT(TakeBinds(), IsEmpty());
}

}  // namespace
}  // namespace plimsoll::scheduler
