#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "match/costly_evaluator_for_test.h"
#include "scheduler/limits.h"
#include "scheduler/plugins/stage_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr std::string_view kTwoTaints =
    "{taints: [{key: soft, effect: PreferNoSchedule}, {key: sla, value: '800', effect: NoSchedule},"
    " {key: gpu, effect: NoExecute}]}";

TEST(TaintTolerationTest, NamesTheFirstTaintThatIsNotTolerated) {
  Stage stage("TaintToleration");
  stage.AddNode("free");
  stage.AddNode("marked", "{}", kTwoTaints);
  EXPECT_THAT(stage.Judge("{containers: []}"),
              ElementsAre(Pair("free", ""),
                          Pair("marked",
                               "UnschedulableAndUnresolvable: node(s) had untolerated taint {sla: "
                               "800}")));
  EXPECT_THAT(
      stage.Judge("{containers: [], tolerations: [{key: sla, operator: Gt, value: '750'}]}"),
      ElementsAre(Pair("free", ""),
                  Pair("marked",
                       "UnschedulableAndUnresolvable: node(s) had untolerated taint {gpu: "
                       "}")));
  EXPECT_THAT(stage.Judge("{containers: [], tolerations: [{key: sla, operator: Gt, value: '750'},"
                          " {key: gpu, operator: Exists}]}"),
              ElementsAre(Pair("free", ""), Pair("marked", "")));
}

TEST(TaintTolerationTest, HidesTheTaintWhenToldTo) {
  PluginArgs args;
  args.names_taints = false;
  Stage stage("TaintToleration", args);
  stage.AddNode("marked", "{}", kTwoTaints);
  EXPECT_THAT(stage.Judge("{containers: []}"),
              ElementsAre(Pair("marked",
                               "UnschedulableAndUnresolvable: node(s) had untolerated taint(s)")));
}

TEST(TaintTolerationTest, AnOperatorWhoseGateIsOffToleratesNothing) {
  match::Rules rules;
  rules.comparison = false;
  Stage stage("TaintToleration", {}, rules);
  stage.AddNode("marked", "{}", kTwoTaints);
  EXPECT_THAT(stage.Judge("{containers: [], tolerations: [{key: sla, operator: Gt, value: '750'},"
                          " {key: gpu, operator: Exists}]}"),
              ElementsAre(Pair("marked",
                               "UnschedulableAndUnresolvable: node(s) had untolerated taint {sla: "
                               "800}")));
}

TEST(TaintTolerationTest, CountsThePreferredTaintsThatAreNotTolerated) {
  Stage stage("TaintToleration");
  stage.AddNode("free");
  stage.AddNode("one", "{}", "{taints: [{key: a, value: v1.0.0, effect: PreferNoSchedule}]}");
  stage.AddNode("two", "{}",
                "{taints: [{key: a, value: v2.0.0, effect: PreferNoSchedule},"
                " {key: b, effect: PreferNoSchedule}]}");
  EXPECT_THAT(stage.Score("{containers: []}"),
              ElementsAre(Pair("free", 0), Pair("one", 1), Pair("two", 2)));
  EXPECT_THAT(
      stage.Score("{containers: [], tolerations: [{key: a, operator: SemverGt, value: v1.5.0}]}"),
      ElementsAre(Pair("free", 0), Pair("one", 1), Pair("two", 1)));
  // A toleration for another effect does not count.
  EXPECT_THAT(
      stage.Score("{containers: [], tolerations: [{operator: Exists, effect: NoSchedule}]}"),
      ElementsAre(Pair("free", 0), Pair("one", 1), Pair("two", 2)));
  EXPECT_EQ(stage.plugin().score->normalization(), Normalization::Lowest);
}

TEST(TaintTolerationTest, HearsOfANodeThatBecomesTolerable) {
  Stage stage("TaintToleration");
  const std::string pod = "{containers: [], tolerations: [{key: sla, operator: Gt, value: '750'}]}";
  const ObjectPtr low =
      NodeFromYaml("node", "{}", "{taints: [{key: sla, value: '700', effect: NoSchedule}]}");
  const ObjectPtr high =
      NodeFromYaml("node", "{}", "{taints: [{key: sla, value: '800', effect: NoSchedule}]}");
  const auto node = EventResource::Node;
  EXPECT_TRUE(stage.MayHelp(pod, node, kAdd, nullptr, high));
  EXPECT_FALSE(stage.MayHelp(pod, node, kAdd, nullptr, low));
  EXPECT_TRUE(stage.MayHelp(pod, node, kUpdateNodeTaint, low, high));
  EXPECT_FALSE(stage.MayHelp(pod, node, kUpdateNodeTaint, high, low));
  EXPECT_FALSE(stage.MayHelp(pod, node, kUpdateNodeTaint, high, high));
  EXPECT_TRUE(stage.MayHelp(pod, EventResource::TargetPod, kUpdatePodToleration,
                            PodFromYaml("waiting", "{containers: []}"),
                            PodFromYaml("waiting", pod)));
}

TEST(TaintTolerationTest, QueuesAPodWhoseExpressionsCostTooMuch) {
  const std::string pod = "{containers: [], tolerations: [{expression: a}, {expression: b}]}";
  const ObjectPtr node =
      NodeFromYaml("node", "{}", "{taints: [{key: sla, value: '8', effect: NoSchedule}]}");
  for (const std::uint64_t cost : {kHintExpressionCostMax - 1, kHintExpressionCostMax}) {
    const match::CostlyEvaluator evaluator(cost);
    match::Rules rules;
    rules.evaluator = &evaluator;
    Stage stage("TaintToleration", {}, rules);
    EXPECT_EQ(stage.MayHelp(pod, EventResource::Node, kAdd, nullptr, node),
              cost == kHintExpressionCostMax)
        << cost;
  }
}

}  // namespace
}  // namespace plimsoll::scheduler
