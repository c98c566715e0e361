#include "cli/up/node_survey.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cli/up/demo.h"
#include "runner/node_template.h"

namespace plimsoll::cli {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

NodeSurvey SurveyOf(std::string text, std::size_t count) {
  const auto nodes =
      runner::MakeNodes({.text = std::move(text), .count = count, .version = "v1", .runtime = "r"});
  EXPECT_TRUE(nodes.has_value()) << nodes.error().Text();
  return SurveyNodes(*nodes, match::Rules());
}

std::string NodeWith(const std::string& spec) {
  return "apiVersion: v1\nkind: Node\nmetadata: {name: 'n-{{i}}'}\nspec: " + spec + "\n";
}

TEST(NodeSurveyTest, CountsTheNodesThatAcceptAPod) {
  const NodeSurvey demo = SurveyOf(std::string(kDemoNodeTemplate), 20);
  EXPECT_EQ(demo.nodes, 20U);
  EXPECT_EQ(demo.surveyed, 20U);
  EXPECT_EQ(demo.open, 10U);
  EXPECT_EQ(demo.for_payments, 12U) << "on-demand nodes, and GPU nodes of both effects";
  EXPECT_THAT(demo.first_keys, IsEmpty());

  const NodeSurvey none = SurveyOf("", 0);
  EXPECT_EQ(none.nodes, 0U);
  EXPECT_EQ(none.open, 0U);
  EXPECT_EQ(SurveyOf("", 3).open, 3U);
}

TEST(NodeSurveyTest, NamesTheTaintsThatKeepPodsAway) {
  const NodeSurvey tainted = SurveyOf(
      NodeWith("{taints: [{key: a, effect: NoSchedule}, {key: b, effect: PreferNoSchedule}, "
               "{key: c, value: d, effect: NoExecute}]}"),
      2);
  EXPECT_EQ(tainted.open, 0U);
  EXPECT_EQ(tainted.for_payments, 0U);
  EXPECT_THAT(tainted.first_keys, ElementsAre("a", "c"));
  const NodeSurvey cordoned = SurveyOf(NodeWith("{unschedulable: true}"), 1);
  EXPECT_EQ(cordoned.open, 0U);
  EXPECT_THAT(cordoned.first_keys, ElementsAre("node.kubernetes.io/unschedulable"));
  const NodeSurvey risky = SurveyOf(
      NodeWith("{taints: [{key: failure-probability, value: '{{9|4}}', effect: NoExecute}]}"), 4);
  EXPECT_EQ(risky.open, 0U);
  EXPECT_EQ(risky.for_payments, 2U);
}

TEST(NodeSurveyTest, LooksAtTheFirstThousandOnly) {
  const NodeSurvey many = SurveyOf("", 1'500);
  EXPECT_EQ(many.nodes, 1'500U);
  EXPECT_EQ(many.surveyed, 1'000U);
}

}  // namespace
}  // namespace plimsoll::cli
