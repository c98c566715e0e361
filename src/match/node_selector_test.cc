#include "match/node_selector.h"

#include <gtest/gtest.h>

namespace plimsoll::match {
namespace {

using Requirement = api::NodeSelectorRequirement;

TEST(LabelIntegerTest, ReadsWhatGoReads) {
  EXPECT_EQ(LabelInteger("007"), 7);
  EXPECT_EQ(LabelInteger("+5"), 5);
  EXPECT_EQ(LabelInteger("-5"), -5);
  EXPECT_EQ(LabelInteger("9223372036854775807"), INT64_MAX);
  for (const auto* text : {"", "+", "-", "+-5", "++5", "1 ", "1_0", "9223372036854775808", "0x1"}) {
    EXPECT_FALSE(LabelInteger(text)) << text;
  }
}

struct HoldsCase {
  std::string name;
  Requirement requirement;
  bool want;
};

class HoldsTest : public testing::TestWithParam<HoldsCase> {};

TEST_P(HoldsTest, Answers) {
  const api::StringMap labels{{"gen", "5"}, {"zone", "a"}, {"kernel", "5.10.0-26-amd64"}};
  EXPECT_EQ(Holds(GetParam().requirement, labels), GetParam().want);
}

INSTANTIATE_TEST_SUITE_P(All, HoldsTest,
                         testing::ValuesIn<HoldsCase>({
                             {"In", {"zone", "In", {"b", "a"}}, true},
                             {"InAbsent", {"none", "In", {"a"}}, false},
                             {"NotIn", {"zone", "NotIn", {"a"}}, false},
                             {"NotInAbsent", {"none", "NotIn", {"a"}}, true},
                             {"Exists", {"zone", "Exists", {}}, true},
                             {"DoesNotExist", {"zone", "DoesNotExist", {}}, false},
                             {"Gt", {"gen", "Gt", {"4"}}, true},
                             {"GtIsStrict", {"gen", "Gt", {"05"}}, false},
                             {"LtOfText", {"zone", "Lt", {"5"}}, false},
                             {"SemverLt", {"kernel", "SemverLt", {"5.10"}}, true},
                             {"SemverEq", {"gen", "SemverEq", {"v5"}}, true},
                             {"SemverAbsent", {"none", "SemverGt", {"1"}}, false},
                         }),
                         [](const auto& test) { return test.param.name; });

TEST(NodeSelectorMatcherTest, AnUnusableTermOnlySpeaksWhenNoOtherMatches) {
  const api::NodeSelector selector{{{{{"zone", "gt", {}}}, {}}, {{{"zone", "In", {"a"}}}, {}}}};
  const NodeSelectorMatcher matcher(selector, Rules{.semver = false});
  EXPECT_TRUE(matcher.Match(NodeView("n", {{"zone", "a"}})).matched);
  const SelectorAnswer answer = matcher.Match(NodeView("n", {{"zone", "b"}}));
  EXPECT_FALSE(answer.matched);
  EXPECT_EQ(answer.parse_error,
            "nodeSelectorTerms[0].matchExpressions[0].operator: Unsupported value: \"gt\": "
            "supported values: \"In\", \"NotIn\", \"Exists\", \"DoesNotExist\", \"Gt\", \"Lt\"");
  EXPECT_EQ(matcher.ParseError(), answer.parse_error);
}

TEST(NodeSelectorMatcherTest, NoTermAndAnEmptyTermMatchNothing) {
  EXPECT_FALSE(NodeSelectorMatcher({}, Rules{}).Match(NodeView("n", {})).matched);
  const api::NodeSelector one_empty{{{}}};
  EXPECT_FALSE(NodeSelectorMatcher(one_empty, Rules{}).Match(NodeView("n", {})).matched);
}

TEST(NodeSelectorMatcherTest, FieldsAreTheNameAlone) {
  const auto match = [](Requirement requirement, std::string_view name) {
    const api::NodeSelector selector{{{{}, {std::move(requirement)}}}};
    return NodeSelectorMatcher(selector, Rules{}).Match(NodeView(name, {})).matched;
  };
  EXPECT_TRUE(match({"metadata.name", "In", {"n1"}}, "n1"));
  EXPECT_FALSE(match({"metadata.name", "NotIn", {"n1"}}, "n1"));
  EXPECT_FALSE(match({"metadata.uid", "In", {"n1"}}, "n1"));
  EXPECT_TRUE(match({"metadata.uid", "NotIn", {"n1"}}, "n1"));
  EXPECT_TRUE(match({"metadata.name", "In", {"n1"}}, ""));
}

TEST(RequiredNodeAffinityTest, NodeSelectorAndTermsMustBothHold) {
  api::PodSpec pod;
  pod.node_selector = {{"zone", "a"}};
  const RequiredNodeAffinity selector_only(pod, Rules{});
  EXPECT_TRUE(selector_only.Match(NodeView("n", {{"zone", "a"}})).matched);
  EXPECT_FALSE(selector_only.Match(NodeView("n", {{"zone", "b"}})).matched);
  EXPECT_FALSE(selector_only.Match(NodeView("n", {})).matched);

  pod.affinity.emplace().node_affinity.emplace().required = {{{{{"gen", "Gt", {"1"}}}, {}}}};
  const RequiredNodeAffinity both(pod, Rules{});
  EXPECT_TRUE(both.Match(NodeView("n", {{"gen", "2"}, {"zone", "a"}})).matched);
  EXPECT_FALSE(both.Match(NodeView("n", {{"zone", "a"}})).matched);
  EXPECT_FALSE(both.Match(NodeView("n", {{"gen", "2"}})).matched);
}

TEST(PreferredNodeAffinityTest, AddsTheWeightsOfMatchingTerms) {
  const std::vector<api::PreferredSchedulingTerm> terms{
      {5, {{{"zone", "In", {"a"}}}, {}}},
      {0, {{{"zone", "bad", {}}}, {}}},
      {7, {}},
      {3, {{{"gen", "Exists", {}}}, {}}},
  };
  const PreferredNodeAffinity preferred(terms, Rules{});
  EXPECT_EQ(preferred.parse_error(), "");
  EXPECT_EQ(preferred.Score(NodeView("n", {{"gen", "1"}, {"zone", "a"}})), 8);
  EXPECT_EQ(preferred.Score(NodeView("n", {{"gen", "1"}})), 3);
}

TEST(PreferredNodeAffinityTest, ATermWhoseGateIsOffAddsNothing) {
  const std::vector<api::PreferredSchedulingTerm> terms{
      {5, {{{"kernel", "SemverGt", {"5.10.0"}}}, {}}},
      {3, {{{"zone", "In", {"a"}}}, {}}},
  };
  const api::StringMap labels{{"kernel", "6.1.0"}, {"zone", "a"}};
  EXPECT_EQ(PreferredNodeAffinity(terms, Rules{}).Score(NodeView("n", labels)), 8);
  const PreferredNodeAffinity off(terms, Rules{.semver = false});
  EXPECT_EQ(off.parse_error(), "");
  EXPECT_EQ(off.Score(NodeView("n", labels)), 3);
}

TEST(PreferredNodeAffinityTest, ATermThatCannotBeComparedAddsNothing) {
  const std::vector<api::PreferredSchedulingTerm> terms{
      {5, {{{"kernel", "SemverGt", {"1.0.0+build.1"}}}, {}}},
      {7, {{{"kernel", "SemverGt", {" v1.31.99 "}}}, {}}},
      {9, {{{"kernel", "Gt", {"many"}}}, {}}},
      {3, {{{"zone", "In", {"a"}}}, {}}},
  };
  const PreferredNodeAffinity preferred(terms, Rules{});
  EXPECT_NE(preferred.parse_error(), "");
  EXPECT_EQ(preferred.Score(NodeView("n", {{"kernel", "6.1.0"}, {"zone", "a"}})), 3);
}

TEST(MatchVolumeTest, AsksANodeWithoutName) {
  api::PersistentVolume volume;
  EXPECT_TRUE(MatchVolume(volume, {}, Rules{}).matched);
  volume.spec.node_affinity.emplace();
  EXPECT_TRUE(MatchVolume(volume, {}, Rules{}).matched);
  volume.spec.node_affinity->required = {
      {{{{"zone", "In", {"a"}}}, {{"metadata.name", "In", {"other"}}}}}};
  EXPECT_TRUE(MatchVolume(volume, {{"zone", "a"}}, Rules{}).matched);
  EXPECT_FALSE(MatchVolume(volume, {{"zone", "b"}}, Rules{}).matched);
}

}  // namespace
}  // namespace plimsoll::match
