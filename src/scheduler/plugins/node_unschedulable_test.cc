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
