#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/plugin_for_test.h"
#include "scheduler/objects_for_test.h"
#include "scheduler/plugins/args.h"
#include "scheduler/plugins/factories.h"

/// For tests of plugins that depend on other pods: a cluster from short texts, and a plugin's
/// results by node name.
namespace plimsoll::scheduler {

class TopologyCluster {
 public:
  void AddNode(std::string_view name, std::string_view labels = {}, std::string_view spec = "{}") {
    const std::string metadata = "labels: {" + std::string(labels) + "}";
    cluster.UpsertNode(*NodeFromYaml(name, "{}", spec, metadata)->As<api::Node>());
  }
  /// `spec` is the content of the braces, without the node's name.
  static ObjectPtr Pod(std::string_view name, std::string_view labels = {},
                       std::string_view node = {}, std::string_view spec = {},
                       std::string_view pod_namespace = "default", std::string_view metadata = {}) {
    std::string text = "spec: {";
    if (!node.empty()) text.append("nodeName: ").append(node).append(", ");
    text.append(spec).append("}");
    std::string more = "labels: {" + std::string(labels) + "}";
    if (!metadata.empty()) more.append(", ").append(metadata);
    return Named("Pod", pod_namespace, name, text, more);
  }
  PodId AddPod(std::string_view name, std::string_view labels = {}, std::string_view node = {},
               std::string_view spec = {}, std::string_view pod_namespace = "default",
               std::string_view metadata = {}) {
    return cluster.UpsertPod(Pod(name, labels, node, spec, pod_namespace, metadata));
  }
  void AddNamespace(std::string_view name, std::string_view labels) {
    cluster.namespaces.Put(
        Named("Namespace", "", name, "", "labels: {" + std::string(labels) + "}"));
  }
  PodUnderTest Test(PodId id) const {
    const PodRecord& record = cluster.pod(id);
    return {id, *record.pod, *record.pod_class};
  }

  ClusterState cluster{match::Rules{}};
};

/// Results of a plugin for a pod on all nodes. Records if the set and single-node forms agree.
struct TopologyAnswers {
  Verdict pre_filter;
  std::map<std::string, std::string> filter;  // by node: empty, or `Code: reason`
  Verdict pre_score;
  std::map<std::string, std::int64_t> raw;
  std::map<std::string, std::int64_t> normalized;
  bool forms_agree = true;

  friend bool operator==(const TopologyAnswers&, const TopologyAnswers&) = default;
};

inline std::string TextOf(const Verdict& verdict) {
  return verdict.ok() ? "" : std::string(ToText(verdict.code)) + ": " + verdict.Message();
}

inline void AskFilter(Plugin& plugin, const ClusterState& cluster, const PluginState* state,
                      TopologyAnswers& answers) {
  const auto& filter = As<FilterPlugin>(plugin);
  Bitmap passing = cluster.nodes();
  filter.Filter(state, passing);
  cluster.nodes().ForEach([&](std::size_t i) {
    const auto slot = static_cast<NodeSlot>(i);
    const Verdict verdict = filter.Judge(state, cluster.view(slot));
    answers.filter[std::string(cluster.node_name(slot))] = TextOf(verdict);
    if (verdict.ok() != passing.Test(i) ||
        verdict.ok() != filter.Accepts(state, cluster.view(slot))) {
      answers.forms_agree = false;
    }
  });
}

inline void AskScore(Plugin& plugin, const ClusterState& cluster, const PodUnderTest& pod,
                     const Bitmap& feasible, TopologyAnswers& answers) {
  const PreScoreOutcome outcome =
      As<PreScorePlugin>(plugin).PreScore(pod.pod_class, nullptr, feasible);
  const auto& score = As<ScorePlugin>(plugin);
  answers.pre_score = outcome.verdict;
  if (!outcome.verdict.ok()) return;
  std::vector<std::int64_t> raw(cluster.slot_limit(), -7);
  score.Score(outcome.state.get(), feasible, raw);
  std::vector<std::int64_t> normalized = raw;
  As<ScoreExtensions>(plugin).NormalizeScore(outcome.state.get(), feasible, normalized);
  feasible.ForEach([&](std::size_t i) {
    const auto slot = static_cast<NodeSlot>(i);
    const std::string name(cluster.node_name(slot));
    answers.raw[name] = raw[i];
    answers.normalized[name] = normalized[i];
    if (score.ScoreOf(outcome.state.get(), cluster.view(slot)) != raw[i]) {
      answers.forms_agree = false;
    }
  });
}

/// Runs all steps. Scores all nodes unless `feasible` is given.
inline TopologyAnswers Ask(Plugin& plugin, const ClusterState& cluster, const PodUnderTest& pod,
                           const std::optional<Bitmap>& feasible = std::nullopt) {
  TopologyAnswers answers;
  const PreFilterOutcome outcome = As<PreFilterPlugin>(plugin).PreFilter(pod);
  answers.pre_filter = outcome.verdict;
  if (outcome.verdict.ok()) AskFilter(plugin, cluster, outcome.state.get(), answers);
  AskScore(plugin, cluster, pod, feasible ? *feasible : cluster.nodes(), answers);
  return answers;
}

}  // namespace plimsoll::scheduler
