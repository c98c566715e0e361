#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/plugins/stage_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;
using testing::Pair;

constexpr std::string_view kRefused =
    "UnschedulableAndUnresolvable: node(s) didn't match the requested node name";

TEST(NodeNameTest, AcceptsOnlyTheNodeThatThePodNames) {
  Stage stage("NodeName");
  stage.AddNode("a");
  stage.AddNode("b");
  EXPECT_EQ(stage.PreFilter("{containers: []}").verdict, Verdict::Skip());
  EXPECT_THAT(stage.Judge("{containers: [], nodeName: b}"),
              ElementsAre(Pair("a", kRefused), Pair("b", "")));
  EXPECT_THAT(stage.Judge("{containers: [], nodeName: c}"),
              ElementsAre(Pair("a", kRefused), Pair("b", kRefused)));
}

TEST(NodeNameTest, HearsOfThatNode) {
  Stage stage("NodeName");
  const std::string pod = "{containers: [], nodeName: b}";
  EXPECT_TRUE(stage.MayHelp(pod, EventResource::Node, kAdd, nullptr, NodeFromYaml("b")));
  EXPECT_FALSE(stage.MayHelp(pod, EventResource::Node, kAdd, nullptr, NodeFromYaml("a")));
}

}  // namespace
}  // namespace plimsoll::scheduler
