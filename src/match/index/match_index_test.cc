#include "match/index/match_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace plimsoll::match {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

api::Node NodeWith(std::string_view name, std::vector<api::Taint> taints,
                   api::StringMap labels = {}) {
  api::Node node;
  node.metadata.name = name;
  node.metadata.labels = std::move(labels);
  node.spec.taints = std::move(taints);
  return node;
}

api::PodSpec PodWith(std::vector<api::Toleration> tolerations) {
  api::PodSpec pod;
  pod.tolerations = std::move(tolerations);
  return pod;
}

api::NodeSelectorTerm Term(api::NodeSelectorRequirement requirement) {
  return {.match_expressions = {std::move(requirement)}, .match_fields = {}};
}

std::vector<std::string> NamesOf(MatchIndex& index, const api::PodSpec& pod) {
  std::vector<std::string> names;
  const ProgramHandle handle = index.Compile(pod);
  index.Filter(handle).ForEach(
      [&](std::size_t slot) { names.emplace_back(index.name(static_cast<NodeSlot>(slot))); });
  return names;
}

TEST(MatchIndexTest, FollowsTheChangesOfANode) {
  MatchIndex index{Rules{}};
  const api::PodSpec pod = PodWith({{.key = "sla", .op = "Gt", .value = "750"}});
  EXPECT_THAT(NamesOf(index, pod), IsEmpty());
  index.Upsert(NodeWith("a", {{"sla", "800", "NoSchedule"}}));
  index.Upsert(NodeWith("b", {{"sla", "700", "NoSchedule"}}));
  EXPECT_THAT(NamesOf(index, pod), ElementsAre("a"));
  index.Upsert(NodeWith("b", {{"sla", "751", "NoSchedule"}}));
  EXPECT_THAT(NamesOf(index, pod), ElementsAre("a", "b"));
  EXPECT_TRUE(index.Remove("a"));
  EXPECT_FALSE(index.Remove("a"));
  EXPECT_THAT(NamesOf(index, pod), ElementsAre("b"));
}

TEST(MatchIndexTest, GivesTheSlotOfARemovedNodeToTheNext) {
  MatchIndex index{Rules{}};
  const NodeSlot first = index.Upsert(NodeWith("a", {{"k", "", "NoSchedule"}}));
  EXPECT_THAT(NamesOf(index, PodWith({})), IsEmpty());
  index.Remove("a");
  EXPECT_EQ(index.Find("a"), std::nullopt);
  EXPECT_EQ(index.Upsert(NodeWith("b", {})), first);
  EXPECT_THAT(NamesOf(index, PodWith({})), ElementsAre("b"));
}

class CountingEvaluator final : public ExpressionEvaluator {
 public:
  Result<bool> Evaluate(std::string_view, const api::Taint& taint) const override {
    ++calls;
    return taint.value == "yes";
  }
  mutable int calls = 0;
};

TEST(MatchIndexTest, EvaluatesAnExpressionOncePerDistinctTaint) {
  const CountingEvaluator evaluator;
  MatchIndex index{Rules{.evaluator = &evaluator}};
  for (int i = 0; i < 500; ++i) {
    index.Upsert(
        NodeWith("n" + std::to_string(i), {{"k", i % 2 == 0 ? "yes" : "no", "NoSchedule"}}));
  }
  const api::PodSpec one = PodWith({{.expression = "e"}});
  EXPECT_EQ(NamesOf(index, one).size(), 250u);
  EXPECT_EQ(evaluator.calls, 2);
  // Another pod with the same expression, and a node with a known taint, need no new evaluation.
  const api::PodSpec other = PodWith({{.expression = "e"}, {.key = "x", .op = "Exists"}});
  index.Upsert(NodeWith("more", {{"k", "yes", "NoSchedule"}}));
  EXPECT_EQ(NamesOf(index, other).size(), 251u);
  EXPECT_EQ(NamesOf(index, one).size(), 251u);
  EXPECT_EQ(evaluator.calls, 2);
  index.Upsert(NodeWith("more", {{"k", "perhaps", "NoSchedule"}}));
  EXPECT_EQ(NamesOf(index, one).size(), 250u);
  EXPECT_EQ(NamesOf(index, other).size(), 250u);
  EXPECT_EQ(evaluator.calls, 3);
}

TEST(MatchIndexTest, AnAnswerAboutAnEarlierTaintIsNotTakenForALaterOne) {
  const CountingEvaluator evaluator;
  MatchIndex index{Rules{.evaluator = &evaluator}};
  const api::PodSpec pod = PodWith({{.expression = "e"}});
  for (const auto* value : {"yes", "no", "yes", "no"}) {
    index.Remove("n");
    index.Upsert(NodeWith("n", {{"k", value, "NoSchedule"}}));
    EXPECT_EQ(NamesOf(index, pod).size(), std::string_view(value) == "yes" ? 1u : 0u);
  }
}

TEST(MatchIndexTest, PodsOfOneTemplateShareAProgram) {
  MatchIndex index{Rules{}};
  index.Upsert(NodeWith("a", {}));
  api::PodSpec pod = PodWith({{.key = "k", .op = "Exists"}});
  EXPECT_THAT(NamesOf(index, pod), ElementsAre("a"));
  const std::size_t before = index.Memory().programs;
  pod.tolerations[0].toleration_seconds = 300;
  pod.node_name = "elsewhere";
  EXPECT_THAT(NamesOf(index, pod), ElementsAre("a"));
  EXPECT_EQ(index.Memory().programs, before);
}

TEST(MatchIndexTest, AHandleOutlivesTheBoundOnIdlePrograms) {
  MatchIndex index{Rules{}, 2};
  index.Upsert(NodeWith("a", {{"k", "1", "NoSchedule"}}));
  const ProgramHandle kept = index.Compile(PodWith({{.key = "k", .op = "Exists"}}));
  std::vector<std::string> values;
  for (int i = 0; i < 100; ++i) values.push_back(std::to_string(i));
  std::size_t after_some = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto names = NamesOf(index, PodWith({{.key = "k", .op = "Equal", .value = values[i]}}));
    EXPECT_EQ(names.size(), values[i] == "1" ? 1u : 0u);
    if (i == 20) after_some = index.Memory().total();
  }
  EXPECT_EQ(index.Memory().total(), after_some);
  EXPECT_EQ(index.Filter(kept).Count(), 1u);
}

TEST(MatchIndexTest, EverChangingValuesDoNotGrowIt) {
  MatchIndex index{Rules{}};
  const api::PodSpec pod = PodWith({{.key = "failure", .op = "Lt", .value = "100000"}});
  const auto change_all = [&](int round) {
    for (int i = 0; i < 200; ++i) {
      const std::string value = std::to_string(10'000 + round * 200 + i);
      const std::string node = "node-" + std::to_string(round % 3 * 200 + i + 1000);
      index.Upsert(NodeWith(node, {{"failure", value, "NoSchedule"}},
                            {{"kubernetes.io/hostname", node}, {"load-" + value, value}}));
    }
    EXPECT_EQ(NamesOf(index, pod).size(), index.size());
    for (int i = 0; i < 200; ++i) {
      index.Remove("node-" + std::to_string(round % 3 * 200 + i + 1000));
    }
  };
  for (int round = 0; round < 10; ++round) change_all(round);
  const std::size_t before = index.Memory().total();
  for (int round = 10; round < 60; ++round) change_all(round);
  EXPECT_LE(index.Memory().total(), before + before / 8);
}

TEST(MatchIndexTest, ScoresAreColumns) {
  MatchIndex index{Rules{}};
  index.Upsert(NodeWith("a", {{"k", "1", "PreferNoSchedule"}, {"l", "", "PreferNoSchedule"}}));
  index.Upsert(NodeWith("b", {{"k", "1", "NoSchedule"}}, {{"zone", "x"}}));
  api::PodSpec pod = PodWith({{.key = "l", .op = "Exists"}});
  pod.affinity.emplace().node_affinity.emplace().preferred = {
      {5, Term({"zone", "In", {"x"}})},
      {2, {.match_expressions = {}, .match_fields = {{"metadata.name", "NotIn", {"q"}}}}}};
  const ProgramHandle handle = index.Compile(pod);
  std::vector<std::int64_t> column(index.slot_limit());
  index.CountIntolerablePreferred(handle, column);
  EXPECT_THAT(column, ElementsAre(1, 0));
  index.ScorePreferredAffinity(handle, column);
  EXPECT_THAT(column, ElementsAre(2, 7));

  pod.affinity->node_affinity->preferred[0].preference.match_expressions[0].op = "in";
  index.ScorePreferredAffinity(index.Compile(pod), column);
  EXPECT_THAT(column, ElementsAre(2, 2));  // an invalid term adds nothing
}

TEST(MatchIndexTest, ARareLabelBecomesCommonAndRareAgain) {
  MatchIndex index{Rules{}};
  std::vector<std::string> names;
  for (int i = 0; i < 40'000; ++i) names.push_back("n" + std::to_string(i));
  for (const auto& name : names) index.Upsert(NodeWith(name, {}));
  api::PodSpec pod;
  pod.node_selector = {{"gpu", "yes"}};
  api::PodSpec without;
  without.affinity.emplace().node_affinity.emplace().required.emplace().terms = {
      Term({"gpu", "DoesNotExist", {}})};
  for (const std::size_t with_label : {10uz, 2000uz, 3uz}) {
    for (std::size_t i = 0; i < 2000; ++i) {
      index.Upsert(NodeWith(names[i], {},
                            i < with_label ? api::StringMap{{"gpu", "yes"}} : api::StringMap{}));
    }
    EXPECT_EQ(index.Filter(index.Compile(pod)).Count(), with_label);
    EXPECT_EQ(index.Filter(index.Compile(without)).Count(), names.size() - with_label);
  }
}

TEST(MatchIndexTest, ManyDistinctValuesWidenAColumn) {
  MatchIndex index{Rules{}};
  std::vector<std::string> names;
  for (int i = 0; i < 70'000; ++i) names.push_back(std::to_string(i));
  for (const auto& name : names) index.Upsert(NodeWith(name, {}, {{"rank", name}}));
  api::PodSpec pod;
  pod.affinity.emplace().node_affinity.emplace().required.emplace().terms = {
      Term({"rank", "Gt", {"69989"}}), Term({"rank", "In", {"0", "300"}})};
  EXPECT_EQ(index.Filter(index.Compile(pod)).Count(), 12u);
}

/// True for taints whose key equals the expression. Each evaluation costs 100.
class KeyEvaluator final : public ExpressionEvaluator {
 public:
  Result<bool> Evaluate(std::string_view expression, const api::Taint& taint) const override {
    ++evaluations;
    return expression == taint.key;
  }
  Result<bool> EvaluateCounted(std::string_view expression, const api::Taint& taint,
                               std::uint64_t& cost) const override {
    cost += 100;
    return Evaluate(expression, taint);
  }
  mutable int evaluations = 0;
};

TEST(MatchIndexPrepareTest, GoesOnWhereTheBudgetEndedAndThenNothingIsEvaluated) {
  const KeyEvaluator evaluator;
  Rules rules;
  rules.evaluator = &evaluator;
  MatchIndex index(rules);
  index.Upsert(NodeWith("a", {{"x", "1", "NoSchedule"}, {"y", "1", "NoSchedule"}}));
  index.Upsert(NodeWith("b", {{"x", "1", "NoSchedule"}, {"z", "1", "NoSchedule"}}));
  std::vector<api::Toleration> tolerations(2);
  tolerations[0].expression = "x";
  tolerations[1].expression = "y";
  const api::PodSpec pod = PodWith(tolerations);
  const ProgramHandle handle = index.Compile(pod, ProgramParts::Tolerations);
  int calls = 1;
  while (!index.Prepare(handle, {.cost = 1, .is_late = {}})) ++calls;
  // Each evaluation exceeds the budget. `x` is tolerated after the first; `y` needs two.
  EXPECT_EQ(calls, 5);
  EXPECT_EQ(evaluator.evaluations, 5);
  EXPECT_THAT(NamesOf(index, pod), ElementsAre("a"));
  EXPECT_EQ(index.FindUntolerated(handle, *index.Find("b"))->key, "z");
  EXPECT_EQ(evaluator.evaluations, 5);
  // Only the new taint is evaluated.
  index.Upsert(NodeWith("b", {{"x", "1", "NoSchedule"}, {"y", "2", "NoSchedule"}}));
  EXPECT_FALSE(index.Prepare(handle, {.cost = 0, .is_late = {}}));
  EXPECT_FALSE(index.Prepare(handle, {.cost = 1000, .is_late = [] { return true; }}));
  EXPECT_TRUE(index.Prepare(handle, {.cost = 1000, .is_late = {}}));
  EXPECT_EQ(evaluator.evaluations, 7);
  EXPECT_THAT(NamesOf(index, pod), ElementsAre("a", "b"));
}

}  // namespace
}  // namespace plimsoll::match
