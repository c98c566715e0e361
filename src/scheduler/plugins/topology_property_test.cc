// After random changes of a cluster, counts that follow the journal must equal fresh counts.
// Results of what-if queries must equal the results after the real change.

#include <gtest/gtest.h>

#include "base/random.h"
#include "scheduler/plugins/inter_pod_affinity.h"
#include "scheduler/plugins/pod_topology_spread.h"
#include "scheduler/plugins/topology_for_test.h"

namespace plimsoll::scheduler {
namespace {

constexpr std::size_t kNodes = 7;
constexpr std::size_t kPods = 24;

class RandomCluster {
 public:
  explicit RandomCluster(std::uint64_t seed) : random_(seed) {
    for (std::size_t i = 0; i < kNodes; ++i) ChangeNode();
    for (std::size_t i = 0; i < kPods; ++i) ChangePod();
  }

  std::size_t Below(std::size_t limit) { return random_.Below(limit); }
  bool Chance(std::size_t one_in) { return Below(one_in) == 0; }

  void Change() {
    switch (Below(8)) {
      case 0:
        return ChangeNode();
      case 1:
        return topology.cluster.RemoveNode(NodeName());
      case 2:
        return topology.AddNamespace(Namespace(), Chance(2) ? "env: prod" : "");
      case 3:
        return ChangeService();
      default:
        return ChangePod();
    }
  }

  void ChangeNode() {
    const std::string name = NodeName();
    std::string labels;
    if (!Chance(5)) labels += "kubernetes.io/hostname: " + name + ", ";
    if (!Chance(5)) labels += "topology.kubernetes.io/zone: " + Pick({"a", "b", "c", "''"}) + ", ";
    if (!Chance(3)) labels += "rack: " + Pick({"r1", "r2"}) + ", ";
    topology.AddNode(name, labels, Chance(3) ? "{taints: [{key: t, effect: NoSchedule}]}" : "{}");
  }

  void ChangePod() {
    const std::string name = "p" + std::to_string(Below(kPods));
    const std::string pod_namespace = Namespace();
    if (Chance(3)) {
      const ObjectPtr gone = TopologyCluster::Pod(name, {}, {}, {}, pod_namespace);
      topology.cluster.RemovePod(gone->metadata());
      return;
    }
    topology.AddPod(name, Labels(), Chance(4) ? "" : NodeName(), Spec(), pod_namespace,
                    Chance(6) ? "deletionTimestamp: '2026-01-01T00:00:00Z'" : "");
  }

  void ChangeService() {
    const std::string name = "s" + std::to_string(Below(2));
    if (Chance(2)) return topology.cluster.services.Erase("default", name);
    topology.cluster.services.Put(
        Named("Service", "default", name, "spec: {selector: {app: " + Pick({"web", "db"}) + "}}"));
  }

  std::string Labels() {
    return "app: " + Pick({"web", "db"}) + ", v: '" + std::to_string(Below(2)) + "'";
  }

  std::string Spec() {
    std::string spec;
    if (Chance(3)) spec += "nodeSelector: {rack: r1}, ";
    if (Chance(3)) spec += "tolerations: [{operator: Exists}], ";
    if (Chance(2)) {
      spec += "topologySpreadConstraints: [" + Constraint() + ", " + Constraint() + "], ";
    }
    if (Chance(2)) {
      spec += "affinity: {" + Pick({"podAffinity", "podAntiAffinity"}) + ": {" +
              (Chance(2) ? "requiredDuringSchedulingIgnoredDuringExecution: [" + Term() + "]"
                         : "preferredDuringSchedulingIgnoredDuringExecution: [{weight: 3, "
                           "podAffinityTerm: " +
                               Term() + "}]") +
              "}}";
    }
    return spec;
  }

  TopologyCluster topology;

 private:
  std::string Pick(std::initializer_list<const char*> texts) {
    return texts.begin()[Below(texts.size())];
  }
  std::string NodeName() { return "n" + std::to_string(Below(kNodes)); }
  std::string Namespace() { return Chance(4) ? "other" : "default"; }
  std::string Key() {
    return "topologyKey: " +
           Pick({"topology.kubernetes.io/zone", "kubernetes.io/hostname", "rack"});
  }
  std::string Selector() {
    return "labelSelector: " +
           Pick({"{}", "{matchLabels: {app: web}}",
                 "{matchExpressions: [{key: app, operator: NotIn, values: [web]}]}"});
  }
  std::string Constraint() {
    return "{" + Key() + ", " + Selector() + ", maxSkew: " + std::to_string(1 + Below(2)) +
           ", whenUnsatisfiable: " + Pick({"DoNotSchedule", "ScheduleAnyway"}) +
           (Chance(3) ? ", matchLabelKeys: [v]" : "") +
           (Chance(3) ? ", nodeTaintsPolicy: Honor" : "") +
           (Chance(3) ? ", nodeAffinityPolicy: Ignore" : "") + "}";
  }
  std::string Term() {
    return "{" + Key() + ", " + Selector() +
           (Chance(4) ? ", namespaceSelector: {matchLabels: {env: prod}}" : "") + "}";
  }

  Random random_;
};

std::unique_ptr<Plugin> (*const kMakers[])(ClusterState&, const PluginArgs&) = {
    MakePodTopologySpread, MakeInterPodAffinity};

TEST(TopologyPropertyTest, CountsThatFollowEqualCountsMadeAnew) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    RandomCluster random(seed);
    ClusterState& cluster = random.topology.cluster;
    std::vector<std::unique_ptr<Plugin>> following;
    for (const auto make : kMakers) following.push_back(make(cluster, {}));
    for (int step = 0; step < 60; ++step) {
      for (std::size_t i = random.Below(4); i > 0; --i) random.Change();
      if (random.Chance(20)) cluster.journal().Trim(1);
      const PodId pod =
          random.topology.AddPod("asks" + std::to_string(step), random.Labels(), {}, random.Spec());
      for (std::size_t i = 0; i < following.size(); ++i) {
        const auto fresh = kMakers[i](cluster, {});
        const TopologyAnswers want = Ask(*fresh, cluster, random.topology.Test(pod));
        const TopologyAnswers got = Ask(*following[i], cluster, random.topology.Test(pod));
        ASSERT_TRUE(want.forms_agree) << "seed " << seed << " step " << step;
        ASSERT_EQ(want, got) << "seed " << seed << " step " << step << " plugin " << i;
      }
      if (random.Chance(3)) cluster.RemovePod(cluster.pod(pod).pod->metadata);
    }
  }
}

/// Moves a pod that is not terminating, and compares the results before and after.
TEST(TopologyPropertyTest, WhatWouldBeIsWhatIsThen) {
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    RandomCluster random(seed);
    ClusterState& cluster = random.topology.cluster;
    const PodId pod = random.topology.AddPod("asks", random.Labels(), {}, random.Spec());
    std::vector<PodId> moved;
    cluster.ForEachPod([&](PodId id) {
      const PodRecord& record = cluster.pod(id);
      if (id != pod && record.node != kNoNode && !record.is_terminating) moved.push_back(id);
    });
    if (moved.empty()) continue;
    const PodId leaves = moved[random.Below(moved.size())];
    const NodeSlot node = cluster.pod(leaves).node;
    const ObjectPtr object = cluster.pod(leaves).object;
    for (const auto make : kMakers) {
      const auto plugin = make(cluster, {});
      const PreFilterOutcome before =
          As<PreFilterPlugin>(*plugin).PreFilter(random.topology.Test(pod));
      if (!before.verdict.ok()) continue;
      // A selector without requirements counts no pods initially, but counts moved pods.
      bool has_empty_selector = false;
      for (const auto& one : cluster.pod(pod).pod->spec.topology_spread_constraints) {
        has_empty_selector |= !one.label_selector || one.label_selector->empty();
      }
      if (has_empty_selector && plugin->name() == "PodTopologySpread") continue;
      const std::unique_ptr<PluginState> clone = before.state->Clone();
      As<PreFilterExtensions>(*plugin).RemovePod(clone.get(), leaves, cluster.view(node));
      TopologyAnswers would_be;
      AskFilter(*plugin, cluster, clone.get(), would_be);

      cluster.RemovePod(object->metadata());
      const auto fresh = make(cluster, {});
      const PreFilterOutcome after =
          As<PreFilterPlugin>(*fresh).PreFilter(random.topology.Test(pod));
      TopologyAnswers is;
      if (after.verdict.ok()) {
        AskFilter(*fresh, cluster, after.state.get(), is);
        EXPECT_EQ(would_be, is) << "seed " << seed << " " << plugin->name();
        const std::unique_ptr<PluginState> back = after.state->Clone();
        cluster.UpsertPod(object);
        const PodId returned = cluster.FindPod(object->metadata());
        As<PreFilterExtensions>(*fresh).AddPod(back.get(), returned, cluster.view(node));
        TopologyAnswers would_be_again;
        AskFilter(*plugin, cluster, before.state.get(), is);
        AskFilter(*fresh, cluster, back.get(), would_be_again);
        EXPECT_EQ(would_be_again, is) << "seed " << seed << " " << plugin->name();
      } else {
        for (const auto& [name, text] : would_be.filter) EXPECT_EQ(text, "");
        cluster.UpsertPod(object);
      }
    }
  }
}

}  // namespace
}  // namespace plimsoll::scheduler
