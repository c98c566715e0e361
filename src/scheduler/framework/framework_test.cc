#include "scheduler/framework/framework.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "scheduler/framework/plugin_for_test.h"
#include "scheduler/objects_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

constexpr std::string_view kContainer = "{containers: [{name: c}]";

class FrameworkTest : public testing::Test {
 protected:
  template <class T = FakePlugin>
  T& Add(std::string name, ExtensionPoints points, std::int64_t weight = 1) {
    auto plugin = std::make_unique<T>(cluster_, std::move(name));
    T& added = *plugin;
    plugins_.push_back({std::move(plugin), points, weight});
    return added;
  }
  /// Refuses nodes that already have `room` pods.
  FakePlugin& AddRoom(std::size_t room) {
    auto& plugin = Add<NodeScopedFake>("Room", kFilter);
    plugin.changes = kPods;
    plugin.judge = [room](const NodeView& node) {
      return node.row.pods.size() < room ? Verdict() : Verdict::Of(Code::Unschedulable, "Full");
    };
    return plugin;
  }
  NodeSlot AddNode(std::string_view name) {
    return cluster_.UpsertNode(*NodeFromYaml(name)->As<api::Node>());
  }
  PodId AddPod(std::string_view name, int priority = 0, std::string_view node = {}) {
    std::string spec(kContainer);
    spec += ", priority: " + std::to_string(priority);
    if (!node.empty()) spec.append(", nodeName: ").append(node);
    return cluster_.UpsertPod(PodFromYaml(name, spec + "}"));
  }
  PodUnderTest Test(PodId id) const {
    const PodRecord& record = cluster_.pod(id);
    return {id, *record.pod, *record.pod_class};
  }
  Framework& framework() {
    if (!framework_) {
      framework_ = std::make_unique<Framework>(cluster_, std::move(plugins_), options_);
    }
    return *framework_;
  }
  std::vector<std::string> Names(const std::vector<NodeSlot>& slots) const {
    std::vector<std::string> names;
    for (const NodeSlot slot : slots) names.emplace_back(cluster_.node_name(slot));
    return names;
  }
  template <class Base>
  std::vector<std::string_view> NamesAt() {
    std::vector<std::string_view> names;
    for (const PluginAt<Base>& one : framework().template At<Base>()) names.push_back(one.name);
    return names;
  }
  std::set<std::string> Draw(PodId id, int draws = 50) {
    std::set<std::string> names;
    for (int i = 0; i < draws; ++i) {
      const NodeSlot slot = framework().SchedulePod(Test(id), random_).node;
      names.insert(slot == kNoNode ? "none" : std::string(cluster_.node_name(slot)));
    }
    return names;
  }

  ClusterState cluster_{match::Rules{}};
  std::vector<EnabledPlugin> plugins_;
  FrameworkOptions options_;
  std::unique_ptr<Framework> framework_;
  Random random_{1};
};

PreFilterOutcome Says(Code code, std::string reason) {
  return {.verdict = Verdict::Of(code, std::move(reason)), .state = nullptr, .nodes = {}};
}

TEST_F(FrameworkTest, TheFirstPreEnqueueThatRefusesIsNamed) {
  Add("First", kPreEnqueue);
  Add("Second", kPreEnqueue).pre_enqueue = [](const api::Object&) {
    return Verdict::Of(Code::UnschedulableAndUnresolvable, "gated");
  };
  const PodId pod = AddPod("p");
  EXPECT_EQ(framework().PreEnqueue(*cluster_.pod(pod).object),
            (Verdict{Code::UnschedulableAndUnresolvable, {"gated"}, "Second"}));
}

TEST_F(FrameworkTest, AnUnresolvablePreFilterEndsTheAttempt) {
  Add("A", kPreFilter | kFilter).pre_filter = [](const PodUnderTest&) {
    return PreFilterOutcome{Verdict::Skip(), nullptr, {}};
  };
  Add("B", kPreFilter).pre_filter = [](const PodUnderTest&) {
    return Says(Code::UnschedulableAndUnresolvable, "no claim");
  };
  const FakePlugin& last = Add("C", kPreFilter);
  AddNode("a");
  const PodId pod = AddPod("p");
  const Attempt attempt = framework().Begin(Test(pod));
  EXPECT_EQ(attempt.pre_filter.plugin, "B");
  EXPECT_THAT(attempt.skipped, ElementsAre("A"));
  EXPECT_EQ(last.pre_filters, 0);
  EXPECT_EQ(framework().SchedulePod(Test(pod), random_).node, kNoNode);
  const Diagnosis diagnosis = framework().Explain(Test(pod));
  EXPECT_EQ(diagnosis.FilterMessage(), "0/1 nodes are available: no claim.");
  EXPECT_THAT(diagnosis.unschedulable_plugins, ElementsAre("B"));
}

TEST_F(FrameworkTest, AnUnschedulablePreFilterLetsTheOthersPrepare) {
  Add("A", kPreFilter).pre_filter = [](const PodUnderTest&) {
    return Says(Code::Unschedulable, "not now");
  };
  const FakePlugin& last = Add("B", kPreFilter);
  const PodId pod = AddPod("p");
  EXPECT_EQ(framework().Begin(Test(pod)).pre_filter.plugin, "A");
  EXPECT_EQ(last.pre_filters, 1);
}

TEST_F(FrameworkTest, AFailedPreFilterIsAnErrorOfTheAttempt) {
  Add("A", kPreFilter).pre_filter = [](const PodUnderTest&) {
    return Says(Code::Error, "out of luck");
  };
  AddNode("a");
  const PodId pod = AddPod("p");
  const Placement placement = framework().SchedulePod(Test(pod), random_);
  EXPECT_EQ(placement.error.Message(), "running PreFilter plugin \"A\": out of luck");
  EXPECT_EQ(framework().Explain(Test(pod)).error, placement.error);
}

TEST_F(FrameworkTest, NodesThatPreFilterLeavesOutAreToldApart) {
  for (const char* name : {"a", "b", "c"}) AddNode(name);
  Add("Narrow", kPreFilter).pre_filter = [](const PodUnderTest&) {
    return PreFilterOutcome{{}, nullptr, std::vector<NodeSlot>{1}};
  };
  AddRoom(1);
  const PodId pod = AddPod("p");
  EXPECT_THAT(Draw(pod), ElementsAre("b"));
  AddPod("q", 0, "b");
  EXPECT_THAT(Draw(pod), ElementsAre("none"));
  const Diagnosis diagnosis = framework().Explain(Test(pod));
  EXPECT_EQ(diagnosis.FilterMessage(),
            "0/3 nodes are available: 1 Full, 2 node(s) didn't satisfy plugin(s) [Narrow].");
  EXPECT_THAT(diagnosis.unschedulable_plugins, ElementsAre("Narrow", "Room"));
  const Report report = framework().EvaluateAllNodes(Test(pod));
  EXPECT_THAT(*report.narrowed, ElementsAre(1));
  EXPECT_TRUE(report.nodes[0].is_excluded);
  EXPECT_FALSE(report.nodes[1].is_excluded);
}

TEST_F(FrameworkTest, PluginsThatLeaveNoCommonNodeContradictEachOther) {
  AddNode("a");
  AddNode("b");
  for (const NodeSlot slot : {1U, 0U}) {
    Add(slot == 0 ? "X" : "Y", kPreFilter).pre_filter = [slot](const PodUnderTest&) {
      return PreFilterOutcome{{}, nullptr, std::vector<NodeSlot>{slot}};
    };
  }
  const PodId pod = AddPod("p");
  EXPECT_EQ(framework().Explain(Test(pod)).FilterMessage(),
            "0/2 nodes are available: node(s) didn't satisfy plugin(s) [X Y] simultaneously.");
}

TEST_F(FrameworkTest, ExamineGivesEveryScore) {
  const NodeSlot a = AddNode("a");
  AddNode("b");
  AddNode("c");
  Add("Some", kFilter).judge = [](const NodeView& node) {
    return node.slot == 2 ? Verdict::Of(Code::Unschedulable, "no") : Verdict();
  };
  FakePlugin& high = Add("High", kScore, 2);
  high.normalize = Normalization::Highest;
  high.score = [](const NodeView& node) { return 3 - static_cast<std::int64_t>(node.slot); };
  FakePlugin& low = Add("Low", kScore, 3);
  low.normalize = Normalization::Lowest;
  low.score = [](const NodeView& node) { return static_cast<std::int64_t>(node.slot); };
  Add("None", kScore).score = [](const NodeView&) { return 7; };
  Add("Silent", kPreScore | kScore).pre_score = [](const Bitmap&) {
    return PreScoreOutcome{Verdict::Skip(), nullptr};
  };
  const PodId pod = AddPod("p");
  const Report report = framework().EvaluateAllNodes(Test(pod));
  EXPECT_THAT(Names(report.best), ElementsAre("a"));
  EXPECT_THAT(report.skipped_scores, ElementsAre("Silent"));
  ASSERT_EQ(report.nodes.size(), 3U);
  EXPECT_EQ(report.nodes[0].slot, a);
  EXPECT_EQ(report.nodes[0].total, 200 + 300 + 7);
  EXPECT_EQ(report.nodes[1].total, 66 * 2 + 0 + 7);
  EXPECT_EQ(report.nodes[1].scores[0].raw, 2);
  EXPECT_EQ(report.nodes[1].scores[0].normalized, 66);
  EXPECT_EQ(report.nodes[1].scores[0].weighted, 132);
  EXPECT_THAT(report.nodes[2].scores, IsEmpty());
  EXPECT_EQ(report.nodes[2].verdict, (Verdict{Code::Unschedulable, {"no"}, "Some"}));
  EXPECT_THAT(Draw(pod), ElementsAre("a"));
}

TEST_F(FrameworkTest, ANodeIsJudgedWithThePodsNominatedToIt) {
  const NodeSlot a = AddNode("a");
  AddNode("b");
  AddRoom(1);
  const PodId high = AddPod("high", 10);
  const PodId low = AddPod("low", 5);
  const PodId higher = AddPod("higher", 20);
  cluster_.NominatePod(high, a);
  EXPECT_THAT(Draw(low), ElementsAre("b"));
  EXPECT_THAT(Draw(higher), ElementsAre("a", "b"));
  EXPECT_THAT(Draw(high), ElementsAre("a"));  // its own nominated node
  AddPod("q", 0, "a");
  EXPECT_THAT(Draw(high), ElementsAre("b"));
  AddPod("r", 0, "b");
  EXPECT_EQ(framework().Explain(Test(low)).FilterMessage(), "0/2 nodes are available: 2 Full.");
  cluster_.NominatePod(high, kNoNode);
  EXPECT_TRUE(cluster_.RemovePod(
      cluster_.pod(cluster_.FindPod(PodFromYaml("q", "{}")->metadata())).pod->metadata));
  EXPECT_THAT(Draw(low), ElementsAre("a"));
}

TEST_F(FrameworkTest, APodMustNotRelyOnNominatedCompany) {
  AddNode("a");
  const NodeSlot b = AddNode("b");
  Add("Company", kFilter).judge = [](const NodeView& node) {
    return node.row.pods.empty() ? Verdict::Of(Code::Unschedulable, "alone") : Verdict();
  };
  const PodId high = AddPod("high", 10);
  const PodId low = AddPod("low", 5);
  cluster_.NominatePod(high, b);
  EXPECT_THAT(Draw(low), ElementsAre("none"));
  EXPECT_EQ(framework().Explain(Test(low)).FilterMessage(), "0/2 nodes are available: 2 alone.");
}

TEST_F(FrameworkTest, TiesAreBrokenEvenly) {
  for (int i = 0; i < 4; ++i) AddNode("n" + std::to_string(i));
  FakePlugin& node_scoped = Add<NodeScopedFake>("N", kFilter | kScore);
  for (FakePlugin* const plugin : {&node_scoped, &Add("C", kFilter | kScore)}) {
    plugin->judge = [](const NodeView& node) {
      return node.slot == 3 ? Verdict::Of(Code::Unschedulable, "no") : Verdict();
    };
  }
  const PodId pod = AddPod("p");
  std::map<NodeSlot, int> drawn;
  for (int i = 0; i < 3'000; ++i) ++drawn[framework().SchedulePod(Test(pod), random_).node];
  ASSERT_EQ(drawn.size(), 3U);
  for (const auto& [slot, count] : drawn) EXPECT_NEAR(count, 1'000, 120) << slot;
}

TEST_F(FrameworkTest, ASingleFeasibleNodeIsNotScored) {
  AddNode("a");
  const FakePlugin& plugin = Add("S", kPreScore | kScore);
  const PodId pod = AddPod("p");
  const Placement placement = framework().SchedulePod(Test(pod), random_);
  EXPECT_EQ(placement.node, 0U);
  EXPECT_EQ(placement.feasible, 1U);
  EXPECT_EQ(plugin.scored, 0);
}

TEST_F(FrameworkTest, AFailedPreScoreIsAnErrorOfTheAttempt) {
  AddNode("a");
  AddNode("b");
  Add("S", kPreScore | kScore).pre_score = [](const Bitmap&) {
    return PreScoreOutcome{Verdict::Of(Code::Error, "broken"), nullptr};
  };
  const PodId pod = AddPod("p");
  const Placement placement = framework().SchedulePod(Test(pod), random_);
  EXPECT_EQ(placement.node, kNoNode);
  EXPECT_EQ(placement.error.Message(), "running PreScore plugin \"S\": broken");
}

TEST_F(FrameworkTest, AsksAtEachPointInItsOrder) {
  const NodeSlot node = AddNode("a");
  for (const char* name : {"A", "B", "C"}) {
    Add(name, kPreFilter | kFilter).judge = [name](const NodeView&) {
      return Verdict::Of(Code::Unschedulable, name);
    };
  }
  constexpr std::size_t kFilterPlace = 3;
  plugins_[0].ranks[kFilterPlace] = 2;
  plugins_[2].ranks[kFilterPlace] = 1;
  plugins_[1].points = kFilter;
  EXPECT_THAT(NamesAt<FilterPlugin>(), ElementsAre("B", "C", "A"));
  EXPECT_THAT(NamesAt<PreFilterPlugin>(), ElementsAre("A", "C"));
  EXPECT_THAT(NamesAt<PermitPlugin>(), IsEmpty());
  const Attempt attempt = framework().Begin(Test(AddPod("p")));
  EXPECT_EQ(framework().Judge(attempt, attempt.filter_states, cluster_.view(node)).plugin, "B");
  EXPECT_THAT(framework().Explain(attempt).unschedulable_plugins, ElementsAre("B"));
}

TEST_F(FrameworkTest, ASampleStartsWhereTheLastOneEnded) {
  for (int i = 0; i < 400; ++i) AddNode("n" + std::to_string(i));
  options_.percentage_of_nodes_to_score = 25;
  FakePlugin& plugin = Add("Even", kFilter | kScore);
  plugin.judge = [](const NodeView& node) {
    return node.slot % 2 == 1 ? Verdict::Of(Code::Unschedulable, "odd") : Verdict();
  };
  plugin.score = [](const NodeView& node) {
    return static_cast<std::int64_t>(node.slot % 200) / 2;
  };
  const PodId pod = AddPod("p");
  // The first hundred of the 200 even nodes are checked, then the others.
  for (const NodeSlot want : {198U, 398U, 198U}) {
    const Placement placement = framework().SchedulePod(Test(pod), random_);
    EXPECT_EQ(placement.node, want);
    EXPECT_EQ(placement.feasible, 100U);
    EXPECT_NEAR(static_cast<double>(placement.evaluated), 200, 1);
  }
}

TEST_F(FrameworkTest, ThereMayBeNoNodes) {
  const PodId pod = AddPod("p");
  EXPECT_EQ(framework().SchedulePod(Test(pod), random_).node, kNoNode);
  EXPECT_EQ(framework().Explain(Test(pod)).FilterMessage(), "no nodes available to schedule pods");
}

}  // namespace
}  // namespace plimsoll::scheduler
