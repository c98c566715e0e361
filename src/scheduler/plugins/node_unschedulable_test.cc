#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/plugins/stage_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr std::string_view kTolerant =
    "{containers: [], tolerations: [{key: node.kubernetes.io/unschedulable, operator: Exists,"
    " effect: NoSchedule}]}";

TEST(NodeUnschedulableTest, RefusesCordonedNodesUnlessTheTaintIsTolerated) {
  Stage stage("NodeUnschedulable");
  stage.AddNode("cordoned", "{}", "{unschedulable: true}");
  stage.AddNode("open");
  EXPECT_THAT(
      stage.Judge("{containers: []}"),
      ElementsAre(Pair("cordoned", "UnschedulableAndUnresolvable: node(s) were unschedulable"),
                  Pair("open", "")));
  EXPECT_THAT(stage.Judge(kTolerant), ElementsAre(Pair("cordoned", ""), Pair("open", "")));
  stage.AddNode("cordoned");
  EXPECT_THAT(stage.Judge("{containers: []}"), ElementsAre(Pair("cordoned", ""), Pair("open", "")));
}

/// An expression is true for the taint whose key equals it.
class ByKey final : public match::ExpressionEvaluator {
 public:
  Result<bool> Evaluate(std::string_view expression, const api::Taint& taint) const override {
    return expression == taint.key;
  }
};

TEST(NodeUnschedulableTest, ExpressionsTolerateTheTaintToo) {
  constexpr std::string_view kByExpression =
      "{containers: [], tolerations: [{expression: node.kubernetes.io/unschedulable}]}";
  const ByKey evaluator;
  Stage on("NodeUnschedulable", {}, {.evaluator = &evaluator});
  Stage off("NodeUnschedulable");
  for (Stage* const stage : {&on, &off}) stage->AddNode("cordoned", "{}", "{unschedulable: true}");
  EXPECT_THAT(on.Judge(kByExpression), ElementsAre(Pair("cordoned", "")));
  EXPECT_THAT(on.Judge("{containers: [], tolerations: [{expression: other}]}"),
              ElementsAre(Pair("cordoned", testing::HasSubstr("node(s) were unschedulable"))));
  EXPECT_THAT(off.Judge(kByExpression),
              ElementsAre(Pair("cordoned", testing::HasSubstr("node(s) were unschedulable"))));
  EXPECT_TRUE(on.MayHelp(kByExpression, EventResource::TargetPod, kUpdatePodToleration,
                         PodFromYaml("waiting", "{containers: []}"),
                         PodFromYaml("waiting", kByExpression)));
}

TEST(NodeUnschedulableTest, HearsOfNodesThatOpenAndOfTolerations) {
  Stage stage("NodeUnschedulable");
  const ObjectPtr open = NodeFromYaml("node");
  const ObjectPtr cordoned = NodeFromYaml("node", "{}", "{unschedulable: true}");
  const ObjectPtr before = PodFromYaml("waiting", "{containers: []}");
  EXPECT_TRUE(stage.MayHelp("{containers: []}", EventResource::Node, kAdd, nullptr, open));
  EXPECT_FALSE(stage.MayHelp("{containers: []}", EventResource::Node, kAdd, nullptr, cordoned));
  EXPECT_TRUE(
      stage.MayHelp("{containers: []}", EventResource::Node, kUpdateNodeTaint, cordoned, open));
  EXPECT_TRUE(stage.MayHelp(kTolerant, EventResource::TargetPod, kUpdatePodToleration, before,
                            PodFromYaml("waiting", kTolerant)));
  EXPECT_FALSE(stage.MayHelp("{containers: []}", EventResource::TargetPod, kUpdatePodToleration,
                             before, before));
}

}  // namespace
}  // namespace plimsoll::scheduler
