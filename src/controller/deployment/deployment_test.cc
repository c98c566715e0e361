#include "controller/deployment/deployment.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "codec/json.h"
#include "controller/controller_set.h"
#include "controller/replica_set/replica_set.h"
#include "controller/workload/tree.h"
#include "controller/workload_for_test.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;
using SizeMap = std::map<std::string, std::int64_t>;

constexpr Instant kStart(1h);

std::string Yaml(int replicas, std::string_view image = "one", std::string_view more = {}) {
  return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, namespace: default, "
         "generation: 1, annotations: {note: hello}}\nspec: {replicas: " +
         std::to_string(replicas) +
         ", progressDeadlineSeconds: 600, revisionHistoryLimit: 10, selector: {matchLabels: {app: "
         "web}}, template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: " +
         std::string(image) + "}]}}" + (more.empty() ? "" : ", " + std::string(more)) + "}\n";
}

/// Runs the Deployment and ReplicaSet controllers; the test makes the pods ready.
class DeploymentTest : public testing::Test, protected WorkloadForTest<ControllerSet> {
 protected:
  DeploymentTest() : WorkloadForTest("Deployment", "web", kStart) {
    core_.Add(std::make_unique<DeploymentController>());
    core_.Add(std::make_unique<ReplicaSetController>());
    server_.Sync();
  }

  void RollToTheEnd() {
    while (MakeReady() > 0) {
      most_pods_ = std::max(most_pods_, server_.All("Pod").size());
    }
  }
  ObjectPtr deployment() { return server_.Find("Deployment", "default", "web"); }
  std::int64_t Status(std::string_view field) {
    return IntAt(deployment()->tree(), {"status", field});
  }
  std::string Condition(std::string_view type) {
    const WorkloadConditions conditions(*deployment());
    const WorkloadCondition* const found = conditions.Find(type);
    return found == nullptr ? "" : found->status + " " + found->reason + ": " + found->message;
  }
  /// Returns the replicas of each ReplicaSet by revision.
  std::map<std::string, std::int64_t> Sizes() {
    std::map<std::string, std::int64_t> sizes;
    for (const ObjectPtr& set : server_.All("ReplicaSet")) {
      sizes[std::string(*set->metadata().annotations.Find(kRevision))] =
          IntAt(set->tree(), {"spec", "replicas"});
    }
    return sizes;
  }
  std::string SetOfRevision(std::string_view revision) {
    for (const ObjectPtr& set : server_.All("ReplicaSet")) {
      if (set->metadata().annotations.Find(kRevision) == revision) {
        return std::string(set->metadata().name);
      }
    }
    return {};
  }

  std::size_t most_pods_ = 0;
};

TEST_F(DeploymentTest, MakesAReplicaSetWithAHash) {
  Put(Yaml(3));
  const std::string name = SetOfRevision("1");
  const ObjectPtr set = server_.Find("ReplicaSet", "default", name);
  ASSERT_NE(set, nullptr);
  const std::string hash = name.substr(4);
  EXPECT_EQ(set->metadata().labels.Find("pod-template-hash"), hash);
  EXPECT_EQ(set->metadata().annotations.Find("note"), "hello");
  EXPECT_EQ(set->metadata().annotations.Find(kDesiredReplicas), "3");
  EXPECT_EQ(TextAt(set->tree(), {"spec", "selector", "matchLabels", "pod-template-hash"}), hash);
  ASSERT_EQ(server_.All("Pod").size(), 3u);
  EXPECT_EQ(server_.All("Pod")[0]->metadata().labels.Find("pod-template-hash"), hash);
  EXPECT_EQ(deployment()->metadata().annotations.Find(kRevision), "1");
  EXPECT_EQ(server_.TakeEvents().at(0),
            "ScalingReplicaSet: Scaled up replica set " + name + " from 0 to 3");
  EXPECT_EQ(Condition("Available"),
            "False MinimumReplicasUnavailable: Deployment does not have minimum availability.");
  EXPECT_EQ(Condition("Progressing"),
            "True ReplicaSetUpdated: ReplicaSet \"" + name + "\" is progressing.");
  EXPECT_EQ(Status("unavailableReplicas"), 3);
  RollToTheEnd();
  EXPECT_EQ(Condition("Available"),
            "True MinimumReplicasAvailable: Deployment has minimum availability.");
  EXPECT_EQ(Condition("Progressing"), "True NewReplicaSetAvailable: ReplicaSet \"" + name +
                                          "\" has successfully progressed.");
  EXPECT_EQ(Status("updatedReplicas"), 3);
  EXPECT_EQ(Status("availableReplicas"), 3);
  EXPECT_EQ(Status("unavailableReplicas"), 0);
}

TEST_F(DeploymentTest, RollsWithinItsBounds) {
  Put(Yaml(10, "one",
           "strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 25%, "
           "maxUnavailable: 25%}}"));
  RollToTheEnd();
  SetImage("two");
  EXPECT_EQ(Sizes(), (SizeMap{{"1", 8}, {"2", 5}}));
  most_pods_ = 0;
  RollToTheEnd();
  EXPECT_EQ(Sizes(), (SizeMap{{"1", 0}, {"2", 10}}));
  EXPECT_LE(most_pods_, 13u);
  EXPECT_EQ(Status("observedGeneration"), 2);
  EXPECT_EQ(Status("updatedReplicas"), 10);
  EXPECT_EQ(deployment()->metadata().annotations.Find(kRevision), "2");
  // Rolling back makes the ReplicaSet of the first template the newest revision.
  SetImage("one");
  RollToTheEnd();
  EXPECT_EQ(Sizes(), (SizeMap{{"2", 0}, {"3", 10}}));
  EXPECT_EQ(server_.Find("ReplicaSet", "default", SetOfRevision("3"))
                ->metadata()
                .annotations.Find(kRevisionHistory),
            "1");
}

TEST_F(DeploymentTest, RecreateWaitsUntilTheOldPodsAreGone) {
  Put(Yaml(3, "one", "strategy: {type: Recreate}"));
  RollToTheEnd();
  const std::string held(server_.All("Pod")[0]->metadata().name);
  server_.Patch("Pod", "default", held, R"({"metadata":{"finalizers":["test/hold"]}})");
  SetImage("two");
  EXPECT_EQ(Sizes(), (SizeMap{{"1", 0}}));
  EXPECT_EQ(server_.All("Pod").size(), 1u);
  server_.Patch("Pod", "default", held, R"({"metadata":{"finalizers":null}})");
  server_.RunFor(1s);
  EXPECT_EQ(Sizes(), (SizeMap{{"1", 0}, {"2", 3}}));
  EXPECT_EQ(server_.All("Pod").size(), 3u);
}

TEST_F(DeploymentTest, ScalesInTheMiddleOfARollout) {
  Put(Yaml(10, "one",
           "strategy: {type: RollingUpdate, rollingUpdate: {maxSurge: 3, "
           "maxUnavailable: 2}}"));
  RollToTheEnd();
  SetImage("two");
  EXPECT_EQ(Sizes(), (SizeMap{{"1", 8}, {"2", 5}}));
  Patch(R"({"replicas":15})");
  EXPECT_EQ(Sizes(), (SizeMap{{"1", 11}, {"2", 7}}));
  RollToTheEnd();
  EXPECT_EQ(Sizes(), (SizeMap{{"1", 0}, {"2", 15}}));
}

TEST_F(DeploymentTest, APausedOneScalesAndDoesNotRoll) {
  Put(Yaml(2));
  RollToTheEnd();
  Patch(R"({"paused":true})");
  EXPECT_EQ(Condition("Progressing"), "Unknown DeploymentPaused: Deployment is paused");
  SetImage("two");
  Patch(R"({"replicas":4})");
  EXPECT_EQ(Sizes(), (SizeMap{{"1", 4}}));
  Patch(R"({"paused":false})");
  RollToTheEnd();
  EXPECT_EQ(Sizes(), (SizeMap{{"1", 0}, {"2", 4}}));
}

TEST_F(DeploymentTest, OldRevisionsGoBeyondTheLimit) {
  Put(Yaml(1));
  RollToTheEnd();
  Patch(R"({"revisionHistoryLimit":1})");
  for (const char* image : {"two", "three", "four"}) {
    SetImage(image);
    RollToTheEnd();
  }
  EXPECT_EQ(Sizes(), (SizeMap{{"3", 0}, {"4", 1}}));
}

TEST_F(DeploymentTest, TellsWhenTheDeadlineIsOver) {
  Put(Yaml(1));
  server_.RunFor(590s);
  EXPECT_TRUE(Condition("Progressing").starts_with("True ReplicaSetUpdated"));
  server_.RunFor(20s);
  EXPECT_EQ(Condition("Progressing"), "False ProgressDeadlineExceeded: ReplicaSet \"" +
                                          SetOfRevision("1") + "\" has timed out progressing.");
  RollToTheEnd();
  EXPECT_TRUE(Condition("Progressing").starts_with("True NewReplicaSetAvailable"));
}

TEST_F(DeploymentTest, RollsBackToARevision) {
  Put(Yaml(1));
  RollToTheEnd();
  SetImage("two");
  RollToTheEnd();
  server_.TakeEvents();
  server_.Patch("Deployment", "default", "web",
                R"({"metadata":{"annotations":{"deprecated.deployment.rollback.to":"1"}}})");
  server_.RunFor(1s);
  RollToTheEnd();
  EXPECT_EQ(server_.TakeEvents().at(0),
            "DeploymentRollback: Rolled back deployment \"web\" to revision 1");
  EXPECT_EQ(Sizes(), (SizeMap{{"2", 0}, {"3", 1}}));
  EXPECT_FALSE(deployment()->metadata().annotations.Has(kRollbackTo));
  server_.Patch("Deployment", "default", "web",
                R"({"metadata":{"annotations":{"deprecated.deployment.rollback.to":"9"}}})");
  server_.RunFor(1s);
  EXPECT_EQ(server_.TakeEvents().at(0),
            "DeploymentRollbackRevisionNotFound: Unable to find the "
            "revision to rollback to.");
}

TEST_F(DeploymentTest, ARefusedReplicaSetBacksOff) {
  server_.FailNext(3);
  server_.Put(Yaml(1));
  server_.Settle();
  EXPECT_EQ(server_.TakeEvents().size(), 1u);
  server_.RunFor(5s);
  EXPECT_EQ(server_.All("Pod").size(), 1u);
}

TEST_F(DeploymentTest, AnotherOneGoesOnWhereThisOneStopped) {
  for (std::size_t writes = 1; writes < 12; ++writes) {
    ControllerSet first;
    first.Add(std::make_unique<DeploymentController>());
    first.Add(std::make_unique<ReplicaSetController>());
    ServerForTest before(first, kStart);
    before.Sync();
    before.Put(Yaml(3));
    before.SettleWrites(writes);
    ControllerSet second;
    second.Add(std::make_unique<DeploymentController>());
    second.Add(std::make_unique<ReplicaSetController>());
    ServerForTest after(second, kStart);
    after.TakeOver(before);
    after.Sync();
    after.RunFor(10s);
    EXPECT_EQ(after.All("Pod").size(), 3u) << writes;
    EXPECT_EQ(after.All("ReplicaSet").size(), 1u) << writes;
  }
}

TEST_F(DeploymentTest, ANameThatIsTakenGivesAnother) {
  Put(Yaml(1));
  const std::string name = SetOfRevision("1");
  ControllerSet core;
  core.Add(std::make_unique<DeploymentController>());
  ServerForTest server(core, kStart);
  server.Sync();
  server.Put("apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: " + name +
             ", namespace: default, labels: {app: other}}\nspec: {replicas: 1}\n");
  server.Put(Yaml(1));
  server.RunFor(5s);
  EXPECT_EQ(server.All("ReplicaSet").size(), 2u);
  EXPECT_EQ(
      IntAt(server.Find("Deployment", "default", "web")->tree(), {"status", "collisionCount"}), 1);
}

TEST_F(DeploymentTest, AdoptsReplicaSetsOfItsSelector) {
  server_.Put(
      "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: old, namespace: default, labels: "
      "{app: web}}\nspec: {replicas: 2, selector: {matchLabels: {app: web, v: x}}, template: "
      "{metadata: {labels: {app: web, v: x}}, spec: {containers: []}}}\n");
  Put(Yaml(2));
  RollToTheEnd();
  const ObjectPtr old = server_.Find("ReplicaSet", "default", "old");
  ASSERT_EQ(old->metadata().owner_references.size(), 1u);
  EXPECT_EQ(IntAt(old->tree(), {"spec", "replicas"}), 0);
  EXPECT_EQ(server_.All("Pod").size(), 2u);
}

}  // namespace
}  // namespace plimsoll::controller
