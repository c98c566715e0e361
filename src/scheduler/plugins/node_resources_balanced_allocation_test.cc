#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/plugins/stage_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr std::string_view kNode = "{allocatable: {cpu: '4', memory: 4Gi, pods: '9'}}";

TEST(NodeResourcesBalancedAllocationTest, PrefersTheNodeThatBecomesBalanced) {
  Stage stage("NodeResourcesBalancedAllocation");
  stage.AddNode("cpu", kNode);
  stage.AddNode("memory", kNode);
  stage.AddPod("a", "{nodeName: cpu, containers: [{name: c, resources: {requests: {cpu: '2'}}}]}");
  stage.AddPod("b",
               "{nodeName: memory, containers: [{name: c, resources: {requests: {memory: 2Gi}}}]}");
  EXPECT_THAT(stage.Score("{containers: [{name: c, resources: {requests: {cpu: '2'}}}]}"),
              ElementsAre(Pair("cpu", 62), Pair("memory", 87)));
}

TEST(NodeResourcesBalancedAllocationTest, HasNothingToSayOfAPodThatAsksForNothing) {
  Stage stage("NodeResourcesBalancedAllocation");
  stage.AddNode("node", kNode);
  EXPECT_THAT(stage.Score("{containers: [{name: c}]}"), IsEmpty());
  EXPECT_EQ(stage.pre_score(), "Skip");
  EXPECT_THAT(
      stage.Score("{containers: [{name: c, resources: {requests: {ephemeral-storage: 1Gi}}}]}"),
      IsEmpty());
}

TEST(NodeResourcesBalancedAllocationTest, AProfileMayNameOtherResources) {
  PluginArgs args;
  args.balanced.resources = {{"cpu", 1}, {"example.com/gpu", 1}};
  Stage stage("NodeResourcesBalancedAllocation", args);
  stage.AddNode("node", "{allocatable: {cpu: '4', example.com/gpu: '4', pods: '9'}}");
  EXPECT_THAT(
      stage.Score("{containers: [{name: c, resources: {requests: {example.com/gpu: '4'}}}]}"),
      ElementsAre(Pair("node", 50)));
}

}  // namespace
}  // namespace plimsoll::scheduler
