#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

#include "controller/eviction_policy/policies_for_test.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using namespace std::chrono_literals;

class TaintEvictionHeldTest : public testing::Test, protected PolicyWorld {};

TEST_F(TaintEvictionHeldTest, ARemovedTaintCancelsHeldPods) {
  Policy("paused: true");
  Pods(2);
  Node("n1", TaintNow());
  RunTo(10s);
  server().TakeEvents();
  Node("n1", "");
  EXPECT_THAT(server().TakeEvents(),
              ElementsAre(HasSubstr("Cancelling deletion of Pod default/p0"),
                          HasSubstr("Cancelling deletion of Pod default/p0")));
  Policy("paused: false");
  RunTo(1h);
  EXPECT_EQ(Left(), 2u);
}

TEST_F(TaintEvictionHeldTest, AFlappingValueEvictsNobody) {
  Policy("settle: 30s");
  Pods(2);
  for (int i = 0; i < 20; ++i) {
    Node("n1", TaintNow());
    server().RunFor(20s);
    Node("n1", "");
    server().RunFor(5s);
  }
  EXPECT_EQ(Left(), 2u);
  EXPECT_THAT(server().TakeEvents(), IsEmpty());
  Node("n1", TaintNow());
  server().RunFor(29s);
  EXPECT_EQ(Left(), 2u);
  server().RunFor(1s);
  EXPECT_EQ(Left(), 0u);
}

TEST_F(TaintEvictionHeldTest, SettleComesBeforeTheCountdown) {
  Policy("settle: 30s");
  Pod("a", ", tolerations: [{key: risk, operator: Exists, tolerationSeconds: 60}]");
  Node("n1", TaintNow());
  RunTo(89s);
  EXPECT_EQ(Left(), 1u);
  RunTo(90s);
  EXPECT_EQ(Left(), 0u);
}

TEST_F(TaintEvictionHeldTest, LowPriorityGoesFirstThenTheFarthestThenTheOldest) {
  const auto lt = [](const std::string& line) {
    return ", tolerations: [{key: risk, operator: Lt, value: '" + line + "', effect: NoExecute}]";
  };
  Policy("paused: true");
  Pod("near", lt("90"));
  Pod("far", lt("10"));
  Pod("high", ", priority: 1000" + lt("1"));
  Pod("low", ", priority: -5" + lt("99"));
  Node("n1", TaintNow("100"));
  Evicted();
  Policy("rate: {perSecond: 1, burst: 1}");
  RunTo(10s);
  EXPECT_THAT(Evicted(), ElementsAre("low", "far", "near", "high"));
}

TEST_F(TaintEvictionHeldTest, TheSubresourceIsRetriedWhileABudgetForbidsIt) {
  Policy("via: Eviction, breaker: {window: 1h, maxPods: 1}");
  server().ForbidEvictions(true);
  Pods(1);
  Node("n1", TaintNow());
  RunTo(10min);
  EXPECT_EQ(Left(), 1u);
  EXPECT_EQ(ConditionOf("Tripped"), "False") << "tries are no evictions";
  server().ForbidEvictions(false);
  server().RunFor(31s);
  EXPECT_EQ(Left(), 0u);
  EXPECT_THAT(server().TakeEvictions(), ElementsAre("p00: pods/eviction"));
}

TEST_F(TaintEvictionHeldTest, FailedEvictionsAreRetriedWithinTheRate) {
  Policy("rate: {perSecond: 1, burst: 1}");
  Pods(2);
  RunTo(1s);
  Node("n1", TaintNow());
  RunTo(1500ms);
  server().FailNext(1);
  RunTo(20s);
  EXPECT_EQ(Left(), 0u);
}

TEST(EvictionFactsTest, NameThePolicyBehindAnEviction) {
  PoliciesForTest world(PolicyWorld::Noon(), "taint-eviction,eviction-policy,eviction-history");
  world.Put("{apiVersion: v1, kind: Node, metadata: {name: n1}}");
  world.Put(
      "{apiVersion: plimsoll.io/v1alpha1, kind: EvictionPolicy, metadata: {name: spot}, spec: "
      "{rate: {perSecond: 1}}}");
  world.Put(
      "{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: default}, spec: {nodeName: "
      "n1}}");
  world.Put(
      "{apiVersion: v1, kind: Node, metadata: {name: n1}, spec: {taints: [{key: risk, value: '9', "
      "effect: NoExecute}]}}");
  world.server().RunFor(10s);
  std::vector<std::string> rules;
  for (const ObjectPtr& record : world.server().All("EvictionRecord")) {
    for (const codec::Value& entry : FindAt(record->tree(), {"entries"})->items()) {
      if (TextAt(entry, {"type"}) == "Evicted") rules.emplace_back(TextAt(entry, {"rule"}));
    }
  }
  EXPECT_THAT(rules, ElementsAre("spot"));
}

}  // namespace
}  // namespace plimsoll::controller
