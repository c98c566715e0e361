#include "scheduler/plugins/pod_topology_spread.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/plugins/topology_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;

constexpr std::string_view kSkew =
    "Unschedulable: node(s) didn't match pod topology spread constraints";
constexpr std::string_view kLabel =
    "UnschedulableAndUnresolvable: node(s) didn't match pod topology spread constraints (missing "
    "required label)";

/// A cluster with two zones of two nodes each, and one node without zone. `counts` are the numbers
/// of `app: web` pods on a1, a2, b1, b2 and lone.
struct FilterCase {
  std::string name;
  std::string constraint;  // in addition to key `zone`, DoNotSchedule and the selector
  std::vector<int> counts;
  std::string accepted;  // node names, separated by blanks
  std::string pod_spec;
};

void PrintTo(const FilterCase& one, std::ostream* out) { *out << one.name; }

class SpreadFilterTest : public testing::TestWithParam<FilterCase> {};

TEST_P(SpreadFilterTest, AcceptsTheNodes) {
  const FilterCase& test = GetParam();
  TopologyCluster topology;
  const std::vector<std::string> names = {"a1", "a2", "b1", "b2", "lone"};
  topology.AddNode("a1", "zone: a, disk: ssd");
  topology.AddNode("a2", "zone: a");
  topology.AddNode("b1", "zone: b, disk: ssd");
  topology.AddNode("b2", "zone: b", "{taints: [{key: t, value: '3', effect: NoExecute}]}");
  topology.AddNode("lone", "disk: ssd");
  for (std::size_t n = 0; n < names.size(); ++n) {
    for (int i = 0; i < test.counts[n]; ++i) {
      topology.AddPod(names[n] + std::to_string(i), "app: web", names[n]);
    }
  }
  topology.AddPod("other", "app: web", "a1", {}, "elsewhere");
  topology.AddPod("leaving", "app: web", "a1", {}, "default",
                  "deletionTimestamp: '2026-01-01T00:00:00Z'");
  topology.AddPod("db", "app: db", "a1");
  const std::string spec =
      "topologySpreadConstraints: [{topologyKey: zone, whenUnsatisfiable: DoNotSchedule, "
      "labelSelector: {matchLabels: {app: web}}, " +
      test.constraint + "}]" + test.pod_spec;
  const PodId pod = topology.AddPod("new", "app: web", {}, spec);
  const auto plugin = MakePodTopologySpread(topology.cluster, {});
  const TopologyAnswers answers = Ask(*plugin, topology.cluster, topology.Test(pod));
  EXPECT_TRUE(answers.forms_agree);
  EXPECT_TRUE(answers.pre_filter.ok());
  std::string accepted;
  for (const auto& [name, text] : answers.filter) {
    if (text.empty()) accepted += (accepted.empty() ? "" : " ") + name;
    if (name == "lone") {
      EXPECT_EQ(text, kLabel);
    } else if (!text.empty()) {
      EXPECT_EQ(text, kSkew);
    }
  }
  EXPECT_EQ(accepted, test.accepted);
}

INSTANTIATE_TEST_SUITE_P(
    All, SpreadFilterTest,
    testing::ValuesIn<FilterCase>({
        {"EvenTakesAnywhere", "maxSkew: 1", {1, 0, 0, 1, 0}, "a1 a2 b1 b2", ""},
        {"OnlyTheEmptierZone", "maxSkew: 1", {1, 1, 1, 0, 0}, "b1 b2", ""},
        {"AWiderSkewTakesMore", "maxSkew: 2", {1, 1, 1, 0, 0}, "a1 a2 b1 b2", ""},
        {"NodesWithoutKeyCountNowhere", "maxSkew: 1", {0, 0, 0, 0, 5}, "a1 a2 b1 b2", ""},
        {"TooFewDomainsAreEmptiestAtZero", "maxSkew: 1, minDomains: 3", {1, 0, 1, 0, 0}, "", ""},
        {"EnoughDomains", "maxSkew: 1, minDomains: 2", {1, 0, 1, 0, 0}, "a1 a2 b1 b2", ""},
        // Zone b has 2 pods on all nodes, and 1 on nodes with an SSD.
        {"NodeAffinityLeavesNodesOut",
         "maxSkew: 1",
         {1, 0, 0, 2, 0},
         "b1 b2",
         ", nodeSelector: {disk: ssd}"},
        {"NodeAffinityIgnored",
         "maxSkew: 1, nodeAffinityPolicy: Ignore",
         {1, 0, 0, 2, 0},
         "a1 a2",
         ", nodeSelector: {disk: ssd}"},
        {"TaintsAreIgnored", "maxSkew: 1", {1, 0, 0, 2, 0}, "a1 a2", ""},
        {"TaintsHonored", "maxSkew: 1, nodeTaintsPolicy: Honor", {1, 0, 0, 2, 0}, "b1 b2", ""},
        {"TaintsHonoredAndTolerated",
         "maxSkew: 1, nodeTaintsPolicy: Honor",
         {1, 0, 0, 2, 0},
         "a1 a2",
         ", tolerations: [{operator: Exists}]"},
        {"TaintsHonoredAndWithinTheThreshold",
         "maxSkew: 1, nodeTaintsPolicy: Honor",
         {1, 0, 0, 2, 0},
         "a1 a2",
         ", tolerations: [{key: t, operator: Lt, value: '5'}]"},
        {"TaintsHonoredAndBeyondTheThreshold",
         "maxSkew: 1, nodeTaintsPolicy: Honor",
         {1, 0, 0, 2, 0},
         "b1 b2",
         ", tolerations: [{key: t, operator: Lt, value: '3'}]"},
        {"BothHonored",
         "maxSkew: 1, nodeTaintsPolicy: Honor",
         {1, 0, 0, 2, 0},
         "b1 b2",
         ", nodeSelector: {disk: ssd}"},
    }),
    [](const auto& test) { return test.param.name; });

class PodTopologySpreadTest : public testing::Test {
 protected:
  PodTopologySpreadTest() {
    topology_.AddNode("a", "zone: a, kubernetes.io/hostname: a");
    topology_.AddNode("b", "zone: b, kubernetes.io/hostname: b");
  }
  static std::string Constraint(std::string_view more, std::string_view selector =
                                                           "labelSelector: {matchLabels: {app: "
                                                           "web}}, ") {
    return "topologySpreadConstraints: [{topologyKey: zone, whenUnsatisfiable: DoNotSchedule, "
           "maxSkew: 1, " +
           std::string(selector) + std::string(more) + "}]";
  }
  TopologyAnswers Ask(PodId pod) {
    return scheduler::Ask(*plugin_, topology_.cluster, topology_.Test(pod));
  }
  std::vector<std::string> Filter(PodId pod) {
    std::vector<std::string> texts;
    for (const auto& [name, text] : Ask(pod).filter) texts.push_back(text);
    return texts;
  }

  TopologyCluster topology_;
  std::unique_ptr<Plugin> plugin_ = MakePodTopologySpread(topology_.cluster, {});
};

TEST_F(PodTopologySpreadTest, SkipsPodsWithoutConstraints) {
  const PodId pod = topology_.AddPod("new", "app: web");
  EXPECT_EQ(Ask(pod).pre_filter.code, Code::Skip);
  EXPECT_EQ(Ask(pod).pre_score.code, Code::Skip);
  const PodId soft = topology_.AddPod(
      "soft", "app: web", {},
      "topologySpreadConstraints: [{topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, "
      "maxSkew: 1, labelSelector: {}}]");
  EXPECT_EQ(Ask(soft).pre_filter.code, Code::Skip);
  EXPECT_TRUE(Ask(soft).pre_score.ok());
}

TEST_F(PodTopologySpreadTest, APodThatDoesNotMatchItselfMakesNoSkew) {
  topology_.AddPod("p", "app: web", "a");
  EXPECT_THAT(Filter(topology_.AddPod("new", "app: db", {}, Constraint(""))), ElementsAre("", ""));
  EXPECT_THAT(Filter(topology_.AddPod("web", "app: web", {}, Constraint(""))),
              ElementsAre(kSkew, ""));
}

TEST_F(PodTopologySpreadTest, MatchLabelKeysNarrowTheSelector) {
  topology_.AddPod("p1", "app: web, v: '1'", "a");
  topology_.AddPod("p2", "app: web, v: '2'", "b");
  const std::string spec = Constraint("matchLabelKeys: [v, absent]");
  EXPECT_THAT(Filter(topology_.AddPod("new", "app: web, v: '1'", {}, spec)),
              ElementsAre(kSkew, ""));
  EXPECT_THAT(Filter(topology_.AddPod("new2", "app: web, v: '2'", {}, spec)),
              ElementsAre("", kSkew));
  EXPECT_THAT(Filter(topology_.AddPod("new3", "app: web", {}, spec)), ElementsAre("", ""));
}

TEST_F(PodTopologySpreadTest, ASelectorWithoutRequirementsCountsNothing) {
  topology_.AddPod("p1", "app: web", "a");
  topology_.AddPod("p2", "app: web", "a");
  EXPECT_THAT(Filter(topology_.AddPod("new", {}, {}, Constraint("", "labelSelector: {}"))),
              ElementsAre("", ""));
  EXPECT_THAT(Filter(topology_.AddPod("none", {}, {}, Constraint("", ""))), ElementsAre("", ""));
}

TEST_F(PodTopologySpreadTest, ASelectorThatCannotBeReadIsAnError) {
  const TopologyAnswers answers = Ask(topology_.AddPod(
      "new", {}, {},
      Constraint("", "labelSelector: {matchExpressions: [{key: a, operator: Like}]}")));
  EXPECT_EQ(TextOf(answers.pre_filter),
            "Error: get constraints from pod: obtaining pod's hard topology spread constraints: "
            "\"Like\" is not a valid label selector operator");
}

TEST_F(PodTopologySpreadTest, TheProfilesListCountsPodsOfTheSameService) {
  PluginArgs args;
  args.topology_spread.defaulting = SpreadDefaulting::List;
  api::TopologySpreadConstraint hard;
  hard.topology_key = "zone";
  hard.when_unsatisfiable = "DoNotSchedule";
  hard.max_skew = 1;
  args.topology_spread.default_constraints =
      std::make_shared<const std::vector<api::TopologySpreadConstraint>>(1, hard);
  plugin_ = MakePodTopologySpread(topology_.cluster, args);
  topology_.AddPod("p", "app: web", "a");
  const PodId pod = topology_.AddPod("new", "app: web");
  EXPECT_EQ(Ask(pod).pre_filter.code, Code::Skip);
  topology_.cluster.services.Put(Named("Service", "default", "s", "spec: {selector: {app: web}}"));
  EXPECT_THAT(Filter(pod), ElementsAre(kSkew, ""));
  topology_.cluster.services.Erase("default", "s");
  EXPECT_EQ(Ask(pod).pre_filter.code, Code::Skip);
}

TEST_F(PodTopologySpreadTest, TellsWhatWouldBeIf) {
  const PodId p1 = topology_.AddPod("p1", "app: web", "a");
  const PodId elsewhere = topology_.AddPod("p2", "app: web", {}, {}, "other");
  const PodId pod = topology_.AddPod("new", "app: web", {}, Constraint(""));
  const PreFilterOutcome outcome = As<PreFilterPlugin>(*plugin_).PreFilter(topology_.Test(pod));
  const NodeView a = topology_.cluster.view(*topology_.cluster.FindNode("a"));
  const NodeView b = topology_.cluster.view(*topology_.cluster.FindNode("b"));
  EXPECT_FALSE(As<FilterPlugin>(*plugin_).Judge(outcome.state.get(), a).ok());
  const std::unique_ptr<PluginState> clone = outcome.state->Clone();
  As<PreFilterExtensions>(*plugin_).AddPod(clone.get(), elsewhere, b);
  EXPECT_FALSE(As<FilterPlugin>(*plugin_).Judge(clone.get(), a).ok());
  As<PreFilterExtensions>(*plugin_).RemovePod(clone.get(), p1, a);
  EXPECT_TRUE(As<FilterPlugin>(*plugin_).Judge(clone.get(), a).ok());
  As<PreFilterExtensions>(*plugin_).AddPod(clone.get(), p1, a);
  As<PreFilterExtensions>(*plugin_).AddPod(clone.get(), p1, b);
  EXPECT_TRUE(As<FilterPlugin>(*plugin_).Judge(clone.get(), a).ok());
  EXPECT_FALSE(As<FilterPlugin>(*plugin_).Judge(outcome.state.get(), a).ok());
}

// Queueing hints.

struct HintCase {
  std::string name;
  EventResource resource;
  EventActions actions;
  ObjectPtr before;
  ObjectPtr after;
  Hint want;
};

ObjectPtr HintNode(std::string_view labels, std::string_view spec = "{}") {
  return NodeFromYaml("node", "{}", spec, "labels: {" + std::string(labels) + "}");
}
ObjectPtr HintPod(std::string_view labels, std::string_view node = "node",
                  std::string_view pod_namespace = "default", std::string_view name = "other") {
  return TopologyCluster::Pod(name, labels, node, {}, pod_namespace);
}

TEST_F(PodTopologySpreadTest, HintsAtEventsThatMayHelp) {
  const PodId pod = topology_.AddPod("new", "app: web", {}, Constraint(""));
  const PodId honoring =
      topology_.AddPod("honoring", "app: web", {}, Constraint("nodeTaintsPolicy: Honor"));
  constexpr auto kAssigned = EventResource::AssignedPod;
  constexpr auto kNode = EventResource::Node;
  const std::string tainted = "{taints: [{key: t, effect: NoSchedule}]}";
  const HintCase cases[] = {
      {"added", kAssigned, kAdd, nullptr, HintPod("app: web"), Hint::Queue},
      {"added, another app", kAssigned, kAdd, nullptr, HintPod("app: db"), Hint::Skip},
      {"added, elsewhere", kAssigned, kAdd, nullptr, HintPod("app: web", "node", "x"), Hint::Skip},
      {"added, waiting", kAssigned, kAdd, nullptr, HintPod("app: web", ""), Hint::Skip},
      {"deleted", kAssigned, kDelete, HintPod("app: web"), nullptr, Hint::Queue},
      {"deleted, another app", kAssigned, kDelete, HintPod("app: db"), nullptr, Hint::Skip},
      {"turned", kAssigned, kUpdatePodLabel, HintPod("app: web"), HintPod("app: db"), Hint::Queue},
      {"not turned", kAssigned, kUpdatePodLabel, HintPod("app: web"), HintPod("app: web, x: yy"),
       Hint::Skip},
      {"itself turned", EventResource::TargetPod, kUpdatePodLabel,
       HintPod("app: web", "", "default", "new"), HintPod("app: db", "", "default", "new"),
       Hint::Queue},
      {"tolerates more", EventResource::TargetPod, kUpdatePodToleration,
       HintPod("app: web", "", "default", "new"), HintPod("app: web", "", "default", "new"),
       Hint::Skip},
      {"node", kNode, kAdd, nullptr, HintNode("zone: c"), Hint::Queue},
      {"node without key", kNode, kAdd, nullptr, HintNode("x: c"), Hint::Skip},
      {"node gone", kNode, kDelete, HintNode("zone: c"), nullptr, Hint::Queue},
      {"node without key gone", kNode, kDelete, HintNode("x: c"), nullptr, Hint::Skip},
      {"node moved", kNode, kUpdateNodeLabel, HintNode("zone: c"), HintNode("zone: d"),
       Hint::Queue},
      {"node lost its key", kNode, kUpdateNodeLabel, HintNode("zone: c"), HintNode("x: d"),
       Hint::Queue},
      {"node with another label", kNode, kUpdateNodeLabel, HintNode("zone: c"),
       HintNode("zone: c, x: d"), Hint::Skip},
      {"node untainted", kNode, kUpdateNodeTaint, HintNode("zone: c", tainted), HintNode("zone: c"),
       Hint::Queue},
      {"anything", EventResource::Any, kAll, nullptr, nullptr, Hint::Queue},
  };
  for (const HintCase& test : cases) {
    const ClusterEvent event{test.resource, test.actions, {}, test.before, test.after};
    EXPECT_EQ(As<EnqueueExtensions>(*plugin_).HintFor(topology_.cluster.pod(pod), event), test.want)
        << test.name;
  }
  const ObjectPtr same = HintPod("app: web", "", "default", "honoring");
  EXPECT_EQ(As<EnqueueExtensions>(*plugin_).HintFor(
                topology_.cluster.pod(honoring),
                {EventResource::TargetPod, kUpdatePodToleration, {}, same, same}),
            Hint::Queue);
  EXPECT_EQ(As<EnqueueExtensions>(*plugin_).Interests().size(), 3U);
}

}  // namespace
}  // namespace plimsoll::scheduler
