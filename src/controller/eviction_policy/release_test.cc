#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "controller/eviction_policy/policies_for_test.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

using testing::IsEmpty;
using namespace std::chrono_literals;

class ReleaseTest : public testing::Test, protected PolicyWorld {};

TEST_F(ReleaseTest, ARateIsKept) {
  Policy("rate: {perSecond: 2, burst: 3}");
  Pods(10);
  Node("n1", TaintNow());
  EXPECT_EQ(Left(), 7u) << "the burst";
  RunTo(499ms);
  EXPECT_EQ(Left(), 7u);
  RunTo(500ms);
  EXPECT_EQ(Left(), 6u);
  RunTo(2s);
  EXPECT_EQ(Left(), 3u);
  RunTo(10s);
  EXPECT_EQ(IntAt(Status(), {"evicted"}), 10);
  EXPECT_EQ(Left(), 0u);
  EXPECT_EQ(IntAt(Status(), {"heldBack"}), 0);
  EXPECT_THAT(FindAt(Status(), {"reserved"})->items(), IsEmpty());
}

TEST_F(ReleaseTest, TheDeadlineOverridesEveryLimit) {
  Policy("paused: true, settle: 10m, rate: {perSecond: 1m}, deadline: 2m");
  Pods(3);
  Node("n1", TaintNow());
  RunTo(119s);
  EXPECT_EQ(Left(), 3u);
  RunTo(120s);
  EXPECT_EQ(Left(), 0u);
}

TEST_F(ReleaseTest, ABreakerTripsAndWaitsForAnAdministrator) {
  Policy("breaker: {window: 5m, maxPods: 4, per: Cluster}");
  Pods(10);
  Node("n1", TaintNow());
  RunTo(2s);
  EXPECT_EQ(Left(), 6u);
  EXPECT_EQ(ConditionOf("Tripped"), "True");
  RunTo(3h);
  EXPECT_EQ(Left(), 6u);
  world_.Restart();
  server().RunFor(3h);
  EXPECT_EQ(Left(), 6u) << "it stays tripped over restarts";
  Policy("breaker: {window: 5m, maxPods: 4, per: Cluster}, resumedAt: '" +
         FormatTime(server().now()) + "'");
  server().RunFor(2s);
  EXPECT_EQ(Left(), 2u) << "four more, and it trips again";
  EXPECT_EQ(ConditionOf("Tripped"), "True");
}

TEST_F(ReleaseTest, ABreakerAllowsMorePodsInTheNextWindow) {
  Policy("rate: {perSecond: 100m}, breaker: {window: 1m, maxPods: 8}");
  Pods(20);
  Node("n1", TaintNow());
  RunTo(10min);
  EXPECT_EQ(Left(), 0u) << "six in a minute do not trip it";
}

TEST_F(ReleaseTest, ABreakerTripsAfterAPercentage) {
  Policy("breaker: {window: 5m, maxPercent: 10}");
  Pods(30);
  Node("n1", TaintNow());
  RunTo(1h);
  EXPECT_EQ(Left(), 27u);
}

TEST_F(ReleaseTest, EachZoneHasABreaker) {
  Policy("breaker: {window: 5m, maxPods: 2, per: Zone}");
  Pods(5);
  Node("n2", "", "b");
  for (int i = 0; i < 5; ++i) {
    world_.Put("apiVersion: v1\nkind: Pod\nmetadata: {name: q" + std::to_string(i) +
               ", namespace: default}\nspec: {nodeName: n2}\n");
  }
  Node("n1", TaintNow());
  RunTo(10s);
  EXPECT_EQ(Left(), 8u);
  Node("n2", TaintNow(), "b");
  RunTo(20s);
  EXPECT_EQ(Left(), 6u);
}

TEST_F(ReleaseTest, TheStrictestPolicyCountsPerLimit) {
  Policy("rate: {perSecond: 10, burst: 10}", "a");
  Policy("rate: {perSecond: 1, burst: 1}", "b");
  Policy("breaker: {window: 1h, maxPods: 3}", "c");
  Pods(10);
  Node("n1", TaintNow());
  RunTo(1500ms);
  EXPECT_EQ(Left(), 8u);
  RunTo(1min);
  EXPECT_EQ(Left(), 7u);
}

TEST_F(ReleaseTest, AWorkloadKeepsItsPods) {
  Policy("maxUnavailable: 1");
  server().Put(
      "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {name: r, namespace: default, uid: rs}\n"
      "spec: {replicas: 3}\n");
  const std::string owned =
      ", ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: r, uid: rs, "
      "controller: true}]";
  for (const char* const name : {"a", "b", "c"}) Pod(name, "", owned);
  Node("n1", TaintNow());
  RunTo(10min);
  EXPECT_EQ(Left(), 2u);
  Node("n2", "");
  const std::string replacement =
      "apiVersion: v1\nkind: Pod\nmetadata: {name: d, namespace: default" + owned +
      "}\nspec: {nodeName: n2}\nstatus: {phase: Running, conditions: [{type: Ready, status: '";
  world_.Put(replacement + "False'}]}\n");
  server().RunFor(10min);
  EXPECT_EQ(Left(), 3u) << "the replacement is not ready yet";
  world_.Put(replacement + "True'}]}\n");
  server().RunFor(2s);
  EXPECT_EQ(Left(), 2u);
  server().RunFor(10min);
  EXPECT_EQ(Left(), 2u);
}

constexpr const char* kBudget =
    "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: b, namespace: default}\n"
    "spec: {selector: {matchLabels: {app: web}}}\nstatus: {disruptionsAllowed: ";

TEST_F(ReleaseTest, ABudgetHoldsUntilItsTimeIsOver) {
  Policy("disruptionBudgets: {mode: Respect, atMost: 10m}");
  server().Put(std::string(kBudget) + "1, desiredHealthy: 2, currentHealthy: 3}\n");
  for (const char* const name : {"a", "b", "c"}) Pod(name, "", ", labels: {app: web}");
  Pod("free");
  Node("n1", TaintNow());
  RunTo(599s);
  EXPECT_EQ(Left(), 2u) << "one of three, and the pod without budget";
  RunTo(600s);
  EXPECT_EQ(Left(), 0u);
}

TEST_F(ReleaseTest, BudgetsAreIgnoredByDefault) {
  Policy("rate: {perSecond: 100, burst: 100}");
  server().Put(std::string(kBudget) + "0, desiredHealthy: 3, currentHealthy: 3}\n");
  for (const char* const name : {"a", "b", "c"}) Pod(name, "", ", labels: {app: web}");
  Node("n1", TaintNow());
  RunTo(1s);
  EXPECT_EQ(Left(), 0u);
}

}  // namespace
}  // namespace plimsoll::controller
