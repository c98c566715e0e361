#include "controller/node_taint_rule/rule_plan.h"

#include <gtest/gtest.h>

#include "controller/objects_for_test.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;

RulePlan PlanOf(std::string_view spec, std::string_view metadata = "") {
  return RulePlan::Of(
      *Decode("{apiVersion: plimsoll.io/v1alpha1, kind: NodeTaintRule, metadata: {name: r" +
              std::string(metadata) + "}, spec: {taint: {key: k, effect: NoExecute}, " +
              std::string(spec) + "}}"));
}

TEST(RulePlanTest, HasDefaults) {
  const RulePlan plan = PlanOf("value: {constant: '5'}");
  EXPECT_EQ(plan.fault, "");
  EXPECT_EQ(plan.owner.annotation(), "taint-rule.plimsoll.io/r");
  EXPECT_EQ(plan.owner.manager(), "plimsoll-node-taint-rule-r");
  EXPECT_TRUE(plan.selects_none);
  EXPECT_EQ(plan.source, RulePlan::Source::Constant);
  EXPECT_EQ(plan.text, "5");
  EXPECT_EQ(plan.step, 1);
  EXPECT_EQ(plan.min_interval, 0s);
  EXPECT_EQ(plan.stale_after, 10min);
  EXPECT_EQ(plan.when_stale, RulePlan::WhenStale::Keep);
  EXPECT_FALSE(plan.changes_per_minute || plan.expires || plan.has_finalizer);
  EXPECT_FALSE(plan.is_being_deleted || plan.reads_whole_node());
}

TEST(RulePlanTest, ReadsEverything) {
  const RulePlan plan = PlanOf(
      "nodes: {names: [a], cel: 'true'}, expires: '1970-01-01T00:00:09Z', step: 5, hysteresis: 2, "
      "minInterval: 60s, maxChangesPerMinute: 3, stale: {after: 1m, then: Value, value: '100'}, "
      "value: {prometheus: {server: 'https://p', query: q, interval: 20s, timeout: 3s, "
      "nodeLabel: instance, bearerToken: {namespace: a, name: b, key: c}}}",
      ", generation: 4, deletionTimestamp: '1970-01-01T00:00:00Z', "
      "finalizers: [plimsoll.io/node-taint-rule]");
  EXPECT_EQ(plan.fault, "");
  EXPECT_TRUE(plan.selection && plan.names.contains("a") && !plan.selects_none);
  EXPECT_EQ(plan.source, RulePlan::Source::Prometheus);
  EXPECT_EQ(plan.query.server, "https://p");
  EXPECT_EQ(plan.query.timeout, 3s);
  EXPECT_EQ(plan.query.token, (std::array<std::string, 3>{"a", "b", "c"}));
  EXPECT_EQ(plan.node_label, "instance");
  EXPECT_EQ(plan.interval, 20s);
  EXPECT_EQ(plan.step, 5);
  EXPECT_EQ(plan.hysteresis, 2);
  EXPECT_EQ(plan.changes_per_minute, 3);
  EXPECT_EQ(plan.stale_value, "100");
  EXPECT_EQ(plan.when_stale, RulePlan::WhenStale::Value);
  EXPECT_EQ(plan.expires, Instant(9s));
  EXPECT_TRUE(plan.is_being_deleted && plan.has_finalizer && plan.reads_whole_node());
  EXPECT_EQ(plan.generation, 4);
}

TEST(RulePlanTest, AnInvalidRuleHasAFault) {
  EXPECT_EQ(PlanOf("value: {constant: 'a b'}").fault.substr(0, 20), "spec.value.constant:");
  EXPECT_EQ(PlanOf("value: {expression: 'pod'}").fault.substr(0, 22), "spec.value.expression:");
  EXPECT_EQ(PlanOf("value: {}").fault.substr(0, 11), "spec.value:");
  EXPECT_EQ(PlanOf("step: -1, value: {constant: '1'}").fault.substr(0, 10), "spec.step:");
}

}  // namespace
}  // namespace plimsoll::controller
