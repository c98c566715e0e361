#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/plugins/stage_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;

constexpr std::string_view kRefused =
    "UnschedulableAndUnresolvable: node(s) didn't match Pod's node affinity/selector";

std::string Required(std::string_view terms) {
  return "{containers: [], affinity: {nodeAffinity: "
         "{requiredDuringSchedulingIgnoredDuringExecution:"
         " {nodeSelectorTerms: " +
         std::string(terms) + "}}}}";
}

std::string Preferred(std::string_view terms) {
  return "{containers: [], affinity: {nodeAffinity: "
         "{preferredDuringSchedulingIgnoredDuringExecution: " +
         std::string(terms) + "}}}";
}

/// Returns arguments with the spec's affinity as added affinity.
PluginArgs Adding(const std::string& spec) {
  const ObjectPtr pod = PodFromYaml("added", spec);
  PluginArgs args;
  args.node_affinity.added_affinity = std::shared_ptr<const api::NodeAffinity>(
      pod, &*pod->As<api::Pod>()->spec.affinity->node_affinity);
  return args;
}

void AddNodes(Stage& stage) {
  stage.AddNode("new", "{}", "{}", "labels: {zone: a, kernel: 6.1.0}");
  stage.AddNode("old", "{}", "{}", "labels: {zone: b, kernel: 5.10.0}");
  stage.AddNode("plain");
}

TEST(NodeAffinityTest, HoldsNodesAgainstSelectorAndRequiredTerms) {
  Stage stage("NodeAffinity");
  AddNodes(stage);
  EXPECT_THAT(stage.Judge("{containers: [], nodeSelector: {zone: a}}"),
              ElementsAre(Pair("new", ""), Pair("old", kRefused), Pair("plain", kRefused)));
  EXPECT_THAT(stage.Judge(Required("[{matchExpressions: [{key: kernel, operator: SemverLt,"
                                   " values: ['6.0.0']}]}]")),
              ElementsAre(Pair("new", kRefused), Pair("old", ""), Pair("plain", kRefused)));
  EXPECT_THAT(stage.Judge(Required("[{matchFields: [{key: metadata.name, operator: NotIn,"
                                   " values: [old]}]}]")),
              ElementsAre(Pair("new", ""), Pair("old", kRefused), Pair("plain", "")));
  EXPECT_THAT(stage.Judge(Required("[{}]")),
              ElementsAre(Pair("new", kRefused), Pair("old", kRefused), Pair("plain", kRefused)));
}

TEST(NodeAffinityTest, HasNothingToSayOfAPodThatAsksForNothing) {
  Stage stage("NodeAffinity");
  EXPECT_EQ(stage.PreFilter("{containers: []}").verdict, Verdict::Skip());
  EXPECT_EQ(stage.PreFilter(Preferred("[]")).verdict, Verdict::Skip());
  EXPECT_THAT(stage.Score("{containers: [], nodeSelector: {zone: a}}"), IsEmpty());
  EXPECT_EQ(stage.pre_score(), "Skip");
}

struct NamesCase {
  std::string terms;
  std::optional<std::vector<NodeSlot>> want;  // slots: new 0, old 1, plain 2
};

class NodeAffinityNamesTest : public testing::TestWithParam<NamesCase> {};

TEST_P(NodeAffinityNamesTest, NarrowTheNodesThatAreMeant) {
  Stage stage("NodeAffinity");
  AddNodes(stage);
  const PreFilterOutcome outcome = stage.PreFilter(Required(GetParam().terms));
  EXPECT_TRUE(outcome.verdict.ok());
  EXPECT_EQ(outcome.nodes, GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(
    All, NodeAffinityNamesTest,
    testing::ValuesIn<NamesCase>({
        {"[{matchFields: [{key: metadata.name, operator: In, values: [old]}]}]", {{1}}},
        {"[{matchFields: [{key: metadata.name, operator: In, values: [old]}]},"
         " {matchFields: [{key: metadata.name, operator: In, values: [new]}]}]",
         {{0, 1}}},
        {"[{matchFields: [{key: metadata.name, operator: In, values: [unknown]}]}]",
         std::vector<NodeSlot>()},
        {"[{matchFields: [{key: metadata.name, operator: In, values: [old]},"
         " {key: metadata.name, operator: In, values: [old]}]}]",
         {{1}}},
        // A term without names allows all nodes, and so does an operator other than In.
        {"[{matchFields: [{key: metadata.name, operator: In, values: [old]}]},"
         " {matchExpressions: [{key: zone, operator: Exists}]}]",
         std::nullopt},
        {"[{matchFields: [{key: metadata.name, operator: NotIn, values: [old]}]}]", std::nullopt},
    }));

TEST(NodeAffinityTest, TermsThatNameNoCommonNodeConflict) {
  Stage stage("NodeAffinity");
  AddNodes(stage);
  const Verdict verdict =
      stage
          .PreFilter(Required("[{matchFields: [{key: metadata.name, operator: In, values: [old]},"
                              " {key: metadata.name, operator: In, values: [new]}]}]"))
          .verdict;
  EXPECT_EQ(verdict,
            Verdict::Of(Code::UnschedulableAndUnresolvable, "pod affinity terms conflict"));
}

TEST(NodeAffinityTest, AddsUpTheWeightsOfPreferredTermsThatMatch) {
  Stage stage("NodeAffinity");
  AddNodes(stage);
  EXPECT_THAT(stage.Score(Preferred(
                  "[{weight: 10, preference: {matchExpressions: [{key: zone, operator: Exists}]}},"
                  " {weight: 5, preference: {matchExpressions: [{key: kernel, operator: SemverGt,"
                  " values: ['6.0.0']}]}}, {weight: 7, preference: {}}]")),
              ElementsAre(Pair("new", 15), Pair("old", 10), Pair("plain", 0)));
  EXPECT_EQ(stage.plugin().score->normalization(), Normalization::Highest);
}

TEST(NodeAffinityTest, APreferredTermThatCannotBeComparedAddsNothingAndNeverBlocks) {
  Stage stage("NodeAffinity");
  AddNodes(stage);
  for (const std::string_view faulty :
       {"{key: zone, operator: Gt, values: [x]}",
        "{key: kernel, operator: SemverGt, values: [1.0.0+build.1]}",
        "{key: kernel, operator: SemverGt, values: [' v1.31.99 ']}"}) {
    EXPECT_THAT(stage.Score(Preferred("[{weight: 1, preference: {matchExpressions: [" +
                                      std::string(faulty) +
                                      "]}}, {weight: 10, preference: {matchExpressions:"
                                      " [{key: zone, operator: Exists}]}}]")),
                ElementsAre(Pair("new", 10), Pair("old", 10), Pair("plain", 0)))
        << faulty;
    EXPECT_EQ(stage.pre_score(), "") << faulty;
  }
}

TEST(NodeAffinityTest, AProfileMayAddTerms) {
  Stage stage("NodeAffinity",
              Adding("{containers: [], affinity: {nodeAffinity: {"
                     "requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms:"
                     " [{matchExpressions: [{key: zone, operator: Exists}]}]},"
                     "preferredDuringSchedulingIgnoredDuringExecution: [{weight: 3, preference:"
                     " {matchExpressions: [{key: zone, operator: In, values: [b]}]}}]}}}"));
  AddNodes(stage);
  constexpr std::string_view kEnforced =
      "UnschedulableAndUnresolvable: node(s) didn't match scheduler-enforced node affinity";
  EXPECT_THAT(stage.Judge("{containers: []}"),
              ElementsAre(Pair("new", ""), Pair("old", ""), Pair("plain", kEnforced)));
  EXPECT_THAT(stage.Judge("{containers: [], nodeSelector: {zone: a}}"),
              ElementsAre(Pair("new", ""), Pair("old", kRefused), Pair("plain", kEnforced)));
  EXPECT_THAT(stage.Score("{containers: []}"),
              ElementsAre(Pair("new", 0), Pair("old", 3), Pair("plain", 0)));
  EXPECT_THAT(stage.Score(Preferred("[{weight: 10, preference: {matchExpressions:"
                                    " [{key: zone, operator: Exists}]}}]")),
              ElementsAre(Pair("new", 10), Pair("old", 13), Pair("plain", 0)));
  EXPECT_FALSE(
      stage.MayHelp("{containers: []}", EventResource::Node, kAdd, nullptr, NodeFromYaml("node")));
}

TEST(NodeAffinityTest, HearsOfANodeThatBeginsToMatch) {
  Stage stage("NodeAffinity");
  const std::string pod = "{containers: [], nodeSelector: {zone: a}}";
  const ObjectPtr fitting = NodeFromYaml("node", "{}", "{}", "labels: {zone: a}");
  const ObjectPtr other = NodeFromYaml("node", "{}", "{}", "labels: {zone: b}");
  const auto node = EventResource::Node;
  EXPECT_TRUE(stage.MayHelp(pod, node, kAdd, nullptr, fitting));
  EXPECT_FALSE(stage.MayHelp(pod, node, kAdd, nullptr, other));
  EXPECT_TRUE(stage.MayHelp(pod, node, kUpdateNodeLabel, other, fitting));
  EXPECT_FALSE(stage.MayHelp(pod, node, kUpdateNodeLabel, fitting, other));
  EXPECT_FALSE(stage.MayHelp(pod, node, kUpdateNodeLabel, fitting, fitting));
}

}  // namespace
}  // namespace plimsoll::scheduler
