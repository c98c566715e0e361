#include "scheduler/plugins/inter_pod_affinity.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/plugins/topology_for_test.h"

namespace plimsoll::scheduler {
namespace {

constexpr std::string_view kNear =
    "UnschedulableAndUnresolvable: node(s) didn't match pod affinity rules";
constexpr std::string_view kApart = "Unschedulable: node(s) didn't match pod anti-affinity rules";
constexpr std::string_view kExisting =
    "Unschedulable: node(s) didn't satisfy existing pods anti-affinity rules";

std::string Terms(std::string_view kind, std::string_view terms) {
  return "affinity: {" + std::string(kind) +
         ": {requiredDuringSchedulingIgnoredDuringExecution: [" + std::string(terms) + "]}}";
}
std::string Near(std::string_view terms) { return Terms("podAffinity", terms); }
std::string Apart(std::string_view terms) { return Terms("podAntiAffinity", terms); }

const std::string kWeb = "{topologyKey: zone, labelSelector: {matchLabels: {app: web}}}";
const std::string kDb = "{topologyKey: zone, labelSelector: {matchLabels: {app: db}}}";

class InterPodAffinityTest : public testing::Test {
 protected:
  InterPodAffinityTest() {
    topology_.AddNode("a1", "zone: a, host: a1");
    topology_.AddNode("a2", "zone: a, host: a2");
    topology_.AddNode("b1", "zone: b, host: b1");
    topology_.AddNode("lone");
  }
  TopologyAnswers Ask(PodId pod) {
    TopologyAnswers answers = scheduler::Ask(*plugin_, topology_.cluster, topology_.Test(pod));
    EXPECT_TRUE(answers.forms_agree);
    return answers;
  }
  /// Returns the nodes with this answer, separated by blanks.
  std::string With(std::string_view answer, PodId pod) {
    std::string names;
    const TopologyAnswers answers = Ask(pod);
    for (const auto& [name, text] : answers.filter) {
      if (text == answer) names.append(names.empty() ? "" : " ").append(name);
    }
    return names;
  }

  TopologyCluster topology_;
  std::unique_ptr<Plugin> plugin_ = MakeInterPodAffinity(topology_.cluster, {});
};

TEST_F(InterPodAffinityTest, SkipsWhenNobodyAsks) {
  const PodId pod = topology_.AddPod("new", "app: web");
  EXPECT_EQ(Ask(pod).pre_filter.code, Code::Skip);
  EXPECT_EQ(Ask(pod).pre_score.code, Code::Skip);
  // Terms that match other pods, or whose pods are on nodes without the label, do not count.
  topology_.AddPod("p1", {}, "a1", Apart(kDb));
  topology_.AddPod("p2", {}, "lone", Apart(kWeb));
  EXPECT_EQ(Ask(pod).pre_filter.code, Code::Skip);
  topology_.AddPod("p3", {}, "a1", Apart(kWeb));
  EXPECT_TRUE(Ask(pod).pre_filter.ok());
}

TEST_F(InterPodAffinityTest, AffinityWantsTheZoneOfSuchPods) {
  topology_.AddPod("p", "app: web", "a1");
  const PodId pod = topology_.AddPod("new", {}, {}, Near(kWeb));
  EXPECT_EQ(With("", pod), "a1 a2");
  EXPECT_EQ(With(kNear, pod), "b1 lone");
  topology_.AddPod("elsewhere", "app: web", "b1", {}, "other");
  EXPECT_EQ(With("", pod), "a1 a2");
}

TEST_F(InterPodAffinityTest, OnePodMustMatchAllTerms) {
  topology_.AddPod("web", "app: web", "a1");
  topology_.AddPod("db", "app: db", "a1");
  const PodId pod = topology_.AddPod("new", {}, {}, Near(kWeb + ", " + kDb));
  EXPECT_EQ(With("", pod), "");
  const PodId both = topology_.AddPod(
      "both", {}, {},
      Near(kWeb + ", {topologyKey: host, labelSelector: {matchLabels: {tier: x}}}"));
  topology_.AddPod("web2", "app: web, tier: x", "b1");
  EXPECT_EQ(With("", both), "b1");
}

TEST_F(InterPodAffinityTest, TheFirstOfASeriesMayGoAnywhereWithTheLabel) {
  const PodId first = topology_.AddPod("first", "app: web", {}, Near(kWeb));
  EXPECT_EQ(With("", first), "a1 a2 b1");
  EXPECT_EQ(With(kNear, first), "lone");
  const PodId other = topology_.AddPod("other", "app: db", {}, Near(kWeb));
  EXPECT_EQ(With("", other), "");
  // A matching pod on a node without the label does not count.
  topology_.AddPod("p", "app: web", "lone");
  EXPECT_EQ(With("", first), "a1 a2 b1");
  topology_.AddPod("p2", "app: web", "b1");
  EXPECT_EQ(With("", first), "b1");
}

TEST_F(InterPodAffinityTest, AntiAffinityShunsTheZone) {
  topology_.AddPod("p", "app: web", "a1");
  const PodId pod = topology_.AddPod("new", {}, {}, Apart(kDb + ", " + kWeb));
  EXPECT_EQ(With("", pod), "b1 lone");
  EXPECT_EQ(With(kApart, pod), "a1 a2");
  // A terminating pod still counts.
  topology_.AddPod("leaving", "app: db", "b1", {}, "default",
                   "deletionTimestamp: '2026-01-01T00:00:00Z'");
  EXPECT_EQ(With("", pod), "lone");
}

TEST_F(InterPodAffinityTest, PodsThereMayForbid) {
  topology_.AddPod("p", {}, "a1", Apart(kWeb));
  const PodId pod = topology_.AddPod("new", "app: web");
  EXPECT_EQ(With(kExisting, pod), "a1 a2");
  EXPECT_EQ(With("", pod), "b1 lone");
}

TEST_F(InterPodAffinityTest, NamespacesAreMeantByLabel) {
  topology_.AddNamespace("prod", "env: prod");
  topology_.AddNamespace("test", "env: test");
  topology_.AddPod("p1", "app: web", "a1", {}, "prod");
  topology_.AddPod("p2", "app: web", "b1", {}, "test");
  const PodId pod = topology_.AddPod(
      "new", {}, {},
      Apart("{topologyKey: zone, labelSelector: {matchLabels: {app: web}}, namespaceSelector: "
            "{matchLabels: {env: prod}}}"));
  EXPECT_EQ(With(kApart, pod), "a1 a2");
  topology_.AddNamespace("test", "env: prod");
  EXPECT_EQ(With(kApart, pod), "a1 a2 b1");
}

TEST_F(InterPodAffinityTest, ATermThatCannotBeReadEndsTheAttempt) {
  const PodId pod = topology_.AddPod(
      "new", {}, {},
      Near("{topologyKey: zone, labelSelector: {matchExpressions: [{key: a, operator: Like}]}}"));
  const TopologyAnswers answers = Ask(pod);
  EXPECT_EQ(TextOf(answers.pre_filter),
            "UnschedulableAndUnresolvable: parsing pod: requiredAffinityTerms: \"Like\" is not a "
            "valid label selector operator");
  EXPECT_EQ(answers.pre_score.code, Code::Error);
}

TEST_F(InterPodAffinityTest, TellsWhatWouldBeIf) {
  const PodId web = topology_.AddPod("web", "app: web", "a1");
  const PodId forbids = topology_.AddPod("forbids", {}, "b1", Apart(kWeb));
  const PodId more = topology_.AddPod(
      "more", {}, {}, Apart("{topologyKey: host, labelSelector: {matchLabels: {app: web}}}"));
  const PodId pod = topology_.AddPod("new", "app: web", {}, Near(kWeb));
  const PreFilterOutcome outcome = As<PreFilterPlugin>(*plugin_).PreFilter(topology_.Test(pod));
  const auto view = [&](std::string_view name) {
    return topology_.cluster.view(*topology_.cluster.FindNode(name));
  };
  const auto judge = [&](const PluginState& state, std::string_view name) {
    return TextOf(As<FilterPlugin>(*plugin_).Judge(&state, view(name)));
  };
  const std::unique_ptr<PluginState> clone = outcome.state->Clone();
  EXPECT_EQ(judge(*clone, "a2"), "");
  EXPECT_EQ(judge(*clone, "b1"), kNear);
  As<PreFilterExtensions>(*plugin_).RemovePod(clone.get(), web,
                                              view("a1"));  // now the pod would be the first
  EXPECT_EQ(judge(*clone, "a2"), "");
  EXPECT_EQ(judge(*clone, "b1"), kExisting);
  As<PreFilterExtensions>(*plugin_).RemovePod(clone.get(), forbids, view("b1"));
  EXPECT_EQ(judge(*clone, "b1"), "");
  As<PreFilterExtensions>(*plugin_).AddPod(clone.get(), more, view("a2"));
  EXPECT_EQ(judge(*clone, "a2"), kExisting);
  EXPECT_EQ(judge(*clone, "a1"), "");
  TopologyAnswers sets;
  AskFilter(*plugin_, topology_.cluster, clone.get(), sets);
  EXPECT_TRUE(sets.forms_agree);
  EXPECT_EQ(judge(*outcome.state, "a2"), "");
}

// Queueing hints.

struct HintCase {
  std::string name;
  PodId pod;
  ClusterEvent event;
  Hint want;
};

TEST_F(InterPodAffinityTest, HintsAtEventsThatMayHelp) {
  const PodId near = topology_.AddPod("near", "app: x", {}, Near(kWeb));
  const PodId apart = topology_.AddPod("apart", "app: x", {}, Apart(kWeb + ", " + kDb));
  const PodId plain = topology_.AddPod("plain", "app: web");
  const auto pod = [](std::string_view labels, std::string_view spec = {}) {
    return TopologyCluster::Pod("other", labels, "node", spec);
  };
  const auto node = [](std::string_view labels) {
    return NodeFromYaml("node", "{}", "{}", "labels: {" + std::string(labels) + "}");
  };
  const auto assigned = [](EventActions actions, ObjectPtr before, ObjectPtr after) {
    return ClusterEvent{EventResource::AssignedPod, actions, {}, before, after};
  };
  const auto on_node = [](ObjectPtr after) {
    return ClusterEvent{EventResource::Node, kAdd, {}, nullptr, after};
  };
  const HintCase cases[] = {
      {"wanted came", near, assigned(kAdd, nullptr, pod("app: web")), Hint::Queue},
      {"unwanted came", near, assigned(kAdd, nullptr, pod("app: db")), Hint::Skip},
      {"became wanted", near, assigned(kUpdatePodLabel, pod("app: db"), pod("app: web")),
       Hint::Queue},
      {"wanted left", near, assigned(kDelete, pod("app: web"), nullptr), Hint::Skip},
      {"shunned left", apart, assigned(kDelete, pod("app: web"), nullptr), Hint::Queue},
      {"shunned changed", apart, assigned(kUpdatePodLabel, pod("app: db"), pod("app: zz")),
       Hint::Queue},
      {"shunned came", apart, assigned(kAdd, nullptr, pod("app: web")), Hint::Skip},
      {"forbidding left", plain, assigned(kDelete, pod("app: zz", Apart(kWeb)), nullptr),
       Hint::Queue},
      {"forbidding others left", plain, assigned(kDelete, pod("app: zz", Apart(kDb)), nullptr),
       Hint::Skip},
      {"node with key", near, on_node(node("zone: c")), Hint::Queue},
      {"node without key", near, on_node(node("x: c")), Hint::Skip},
      {"any node", plain, on_node(node("x: c")), Hint::Queue},
      {"its own labels",
       plain,
       {EventResource::TargetPod, kUpdatePodLabel, {}, nullptr, nullptr},
       Hint::Queue},
      {"anything", near, {}, Hint::Queue},
  };
  for (const HintCase& test : cases) {
    EXPECT_EQ(As<EnqueueExtensions>(*plugin_).HintFor(topology_.cluster.pod(test.pod), test.event),
              test.want)
        << test.name;
  }
  EXPECT_EQ(As<EnqueueExtensions>(*plugin_).Interests().size(), 3U);
}

}  // namespace
}  // namespace plimsoll::scheduler
