#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/plugins/stage_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr std::string_view kNode =
    "{allocatable: {cpu: '4', memory: 8Gi, ephemeral-storage: 10Gi, example.com/gpu: '2',"
    " pods: '3'}}";

std::string Asking(std::string_view requests, std::string_view node = {}) {
  std::string spec = "{containers: [{name: c, resources: {requests: {";
  spec.append(requests).append("}}}]");
  if (!node.empty()) spec.append(", nodeName: ").append(node);
  return spec + "}";
}

struct FitCase {
  std::string requests;
  std::string want;
};

class NodeResourcesFitTest : public testing::TestWithParam<FitCase> {};

TEST_P(NodeResourcesFitTest, SaysWhatIsShort) {
  Stage stage("NodeResourcesFit");
  stage.AddNode("node", kNode);
  stage.AddPod(
      "other",
      Asking("cpu: '1', memory: 2Gi, ephemeral-storage: 4Gi, example.com/gpu: '1'", "node"));
  EXPECT_EQ(stage.Judge(Asking(GetParam().requests))["node"], GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, NodeResourcesFitTest,
    testing::ValuesIn<FitCase>({
        {"", ""},
        {"cpu: '3', memory: 6Gi, ephemeral-storage: 6Gi, example.com/gpu: '1'", ""},
        {"cpu: 3001m", "Unschedulable: Insufficient cpu"},
        {"cpu: '4'", "Unschedulable: Insufficient cpu"},
        {"cpu: 4001m", "UnschedulableAndUnresolvable: Insufficient cpu"},
        {"memory: 7Gi", "Unschedulable: Insufficient memory"},
        {"memory: 9Gi", "UnschedulableAndUnresolvable: Insufficient memory"},
        {"ephemeral-storage: 7Gi", "Unschedulable: Insufficient ephemeral-storage"},
        {"example.com/gpu: '2'", "Unschedulable: Insufficient example.com/gpu"},
        {"example.com/gpu: '3'", "UnschedulableAndUnresolvable: Insufficient example.com/gpu"},
        {"example.com/none: '1'", "UnschedulableAndUnresolvable: Insufficient example.com/none"},
        {"example.com/none: '0'", ""},
        {"cpu: '4', memory: 9Gi",
         "UnschedulableAndUnresolvable: Insufficient cpu, Insufficient memory"},
    }));

TEST(NodeResourcesFitPodsTest, ANodeTakesSoManyPods) {
  Stage stage("NodeResourcesFit");
  stage.AddNode("node", kNode);
  for (const std::string_view name : {"a", "b", "c"}) {
    EXPECT_EQ(stage.Judge(Asking(""))["node"], "");
    stage.AddPod(name, Asking("", "node"));
  }
  EXPECT_EQ(stage.Judge(Asking(""))["node"], "Unschedulable: Too many pods");
  EXPECT_EQ(stage.Judge(Asking("cpu: '5'"))["node"],
            "UnschedulableAndUnresolvable: Too many pods, Insufficient cpu");
}

TEST(NodeResourcesFitIgnoreTest, ExtendedResourcesMayBeIgnored) {
  PluginArgs args;
  args.fit.ignored_resources = {"example.com/none", "cpu"};
  args.fit.ignored_resource_groups = {"other.com"};
  Stage stage("NodeResourcesFit", args);
  stage.AddNode("node", kNode);
  EXPECT_EQ(stage.Judge(Asking("example.com/none: '1', other.com/x: '1'"))["node"], "");
  EXPECT_EQ(stage.Judge(Asking("cpu: '5'"))["node"],
            "UnschedulableAndUnresolvable: Insufficient cpu");
  EXPECT_EQ(stage.Judge(Asking("example.com/more: '1'"))["node"],
            "UnschedulableAndUnresolvable: Insufficient example.com/more");
}

struct StrategyCase {
  FitStrategy strategy;
  std::int64_t want;
};

class FitStrategyTest : public testing::TestWithParam<StrategyCase> {};

TEST_P(FitStrategyTest, ScoresHowFullTheNodeWillBe) {
  PluginArgs args;
  args.fit.strategy = GetParam().strategy;
  args.fit.shape = {{0, 0}, {100, 10}};
  Stage stage("NodeResourcesFit", args);
  stage.AddNode("node", "{allocatable: {cpu: '4', memory: 8Gi, pods: '9'}}");
  stage.AddPod("other", Asking("cpu: '1', memory: 2Gi", "node"));
  // Used: 2 of 4 CPUs, 6 of 8 GiB.
  EXPECT_THAT(stage.Score(Asking("cpu: '1', memory: 4Gi")),
              ElementsAre(Pair("node", GetParam().want)));
}

INSTANTIATE_TEST_SUITE_P(All, FitStrategyTest,
                         testing::ValuesIn<StrategyCase>({
                             {FitStrategy::LeastAllocated, 37},
                             {FitStrategy::MostAllocated, 62},
                             {FitStrategy::RequestedToCapacityRatio, 63},
                         }));

TEST(NodeResourcesFitHintTest, NodesThatWouldDoMayHelp) {
  Stage stage("NodeResourcesFit");
  const auto node = EventResource::Node;
  const ObjectPtr small = NodeFromYaml("node", "{allocatable: {cpu: '1', memory: 1Gi, pods: '9'}}");
  const ObjectPtr large = NodeFromYaml("node", "{allocatable: {cpu: '4', memory: 1Gi, pods: '9'}}");
  const ObjectPtr roomy = NodeFromYaml("node", "{allocatable: {cpu: '4', memory: 8Gi, pods: '9'}}");
  const ObjectPtr crowded =
      NodeFromYaml("node", "{allocatable: {cpu: '4', memory: 8Gi, pods: '99'}}");
  const std::string pod = Asking("cpu: '2'");
  EXPECT_TRUE(stage.MayHelp(pod, node, kAdd, nullptr, large));
  EXPECT_FALSE(stage.MayHelp(pod, node, kAdd, nullptr, small));
  EXPECT_TRUE(stage.MayHelp(pod, node, kUpdateNodeAllocatable, small, large));
  EXPECT_FALSE(stage.MayHelp(pod, node, kUpdateNodeAllocatable, large, roomy));
  EXPECT_TRUE(stage.MayHelp(pod, node, kUpdateNodeAllocatable, roomy, crowded));
}

TEST(NodeResourcesFitHintTest, PodsThatGoOrShrinkMayHelp) {
  Stage stage("NodeResourcesFit");
  const auto other = EventResource::AssignedPod;
  const ObjectPtr large = PodFromYaml("other", Asking("cpu: '2', memory: 2Gi", "node"));
  const ObjectPtr less_cpu = PodFromYaml("other", Asking("cpu: '1', memory: 2Gi", "node"));
  EXPECT_TRUE(stage.MayHelp(Asking("cpu: '1'"), other, kDelete, large, nullptr));
  EXPECT_TRUE(stage.MayHelp(Asking("cpu: '1'"), other, kUpdatePodScaleDown, large, less_cpu));
  EXPECT_FALSE(stage.MayHelp(Asking("memory: 1Gi"), other, kUpdatePodScaleDown, large, less_cpu));
  EXPECT_TRUE(stage.MayHelp(Asking("cpu: '1'"), EventResource::TargetPod, kUpdatePodScaleDown,
                            PodFromYaml("waiting", Asking("cpu: '2'")),
                            PodFromYaml("waiting", Asking("cpu: '1'"))));
}

}  // namespace
}  // namespace plimsoll::scheduler
