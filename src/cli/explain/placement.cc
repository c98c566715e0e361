#include "cli/explain/placement.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/random.h"
#include "cli/explain/nearest_node.h"
#include "match/toleration.h"

namespace plimsoll::cli {
namespace {

using scheduler::Attempt;
using scheduler::Diagnosis;
using scheduler::NodeSlot;
using scheduler::Verdict;

constexpr std::pair<std::string_view, std::string_view> kTitles[] = {
    {"DynamicResources", "devices"},
    {"InterPodAffinity", "pod affinity"},
    {"NodeAffinity", "node affinity"},
    {"NodeDeclaredFeatures", "features"},
    {"NodeName", "node name"},
    {"NodePorts", "ports"},
    {"NodeResourcesFit", "resources"},
    {"NodeUnschedulable", "cordons"},
    {"NodeVolumeLimits", "volume limits"},
    {"PodTopologySpread", "spread"},
    {"TaintToleration", "taints"},
    {"VolumeBinding", "volumes"},
    {"VolumeRestrictions", "volume restrictions"},
    {"VolumeZone", "volume zones"},
};

/// Returns the plugin that refused. For nodes that PreFilter excluded, the first that narrowed.
std::string_view PluginOf(const Verdict& verdict, const Attempt& attempt) {
  if (!verdict.plugin.empty() || attempt.narrowed_by.empty()) return verdict.plugin;
  return attempt.narrowed_by.front();
}

std::vector<FunnelStage> FunnelOf(const Diagnosis& diagnosis, const Attempt& attempt,
                                  const scheduler::Framework& framework) {
  std::vector<std::string_view> order = attempt.narrowed_by;
  if (!diagnosis.pre_filter.ok()) order.push_back(diagnosis.pre_filter.plugin);
  for (const auto& filter : framework.At<scheduler::FilterPlugin>()) order.push_back(filter.name);
  std::map<std::string_view, std::size_t> refused;
  for (const Diagnosis::Refusal& refusal : diagnosis.refusals) {
    refused[PluginOf(refusal.verdict, attempt)] += refusal.nodes;
  }
  if (!diagnosis.pre_filter.ok()) refused = {{diagnosis.pre_filter.plugin, diagnosis.node_count}};
  std::vector<FunnelStage> stages;
  std::size_t left = diagnosis.node_count;
  for (const std::string_view plugin : order) {
    const auto found = refused.extract(plugin);
    if (found.empty()) continue;
    left -= found.mapped();
    stages.push_back({std::string(plugin), std::string(TitleOf(plugin)), found.mapped(), left});
  }
  return stages;
}

/// Nodes with the same reason.
struct Group {
  std::string_view plugin;
  std::string text;
  std::vector<std::string> values;  // values of one taint key
  Bitmap which;
};

/// Merges a taint with many values: `node(s) had untolerated taint {key: 5, 8, …}`.
std::string TextOf(const Group& group, std::string_view key) {
  constexpr std::size_t kValuesMax = 5;
  if (group.values.size() < 2) return group.text;
  std::string text = "node(s) had untolerated taint {" + std::string(key) + ": ";
  for (std::size_t i = 0; i < group.values.size(); ++i) {
    if (i > 0) text += ", ";
    if (i == kValuesMax) return text + "…}";
    text += group.values[i];
  }
  return text + "}";
}

const api::Taint* UntoleratedOf(const Diagnosis::Refusal& refusal,
                                const std::vector<api::Taint>& taints,
                                const ClusterSnapshot& cluster) {
  if (refusal.verdict.plugin != "TaintToleration") return nullptr;
  return match::FindUntolerated(taints, cluster.pod().pod.spec.tolerations,
                                cluster.cluster().rules());
}

NodeSlot FirstOf(const Bitmap& nodes) {
  NodeSlot first = scheduler::kNoNode;
  nodes.ForEach([&](std::size_t slot) {
    if (first == scheduler::kNoNode) first = static_cast<NodeSlot>(slot);
  });
  return first;
}

std::vector<RefusalReason> ReasonsOf(const Diagnosis& diagnosis, const Attempt& attempt,
                                     const ClusterSnapshot& cluster) {
  std::vector<Group> groups;
  std::map<std::pair<std::string_view, std::string>, std::size_t> places;
  std::vector<std::string> keys;  // taint keys, by group
  for (const Diagnosis::Refusal& refusal : diagnosis.refusals) {
    const std::vector<api::Taint> taints = cluster.cluster().index().Taints(FirstOf(refusal.which));
    const api::Taint* const taint = UntoleratedOf(refusal, taints, cluster);
    for (const std::string& reason : refusal.verdict.reasons) {
      const std::string_view plugin = PluginOf(refusal.verdict, attempt);
      const std::string key(taint == nullptr ? std::string_view(reason) : taint->key);
      const auto [at, is_new] = places.try_emplace({plugin, key}, groups.size());
      if (is_new) {
        groups.push_back({plugin, reason, {}, Bitmap(refusal.which.size())});
        keys.push_back(key);
      }
      Group& group = groups[at->second];
      group.which.Or(refusal.which);
      if (taint != nullptr) group.values.emplace_back(taint->value);
    }
  }
  std::vector<RefusalReason> reasons;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    reasons.push_back(
        {std::string(groups[i].plugin), TextOf(groups[i], keys[i]), groups[i].which.Count(),
         FindNearestNode(cluster, {groups[i].plugin, groups[i].text, groups[i].which}, diagnosis)});
  }
  return reasons;
}

/// Nodes with nominated pods are judged first, so the reasons are not in order.
void SortByStage(const std::vector<FunnelStage>& funnel, std::vector<RefusalReason>& reasons) {
  std::ranges::stable_sort(reasons, {}, [&](const RefusalReason& reason) {
    return std::ranges::find(funnel, reason.plugin, &FunnelStage::plugin) - funnel.begin();
  });
}

std::vector<NodeScore> ScoresOf(ClusterSnapshot& cluster) {
  const scheduler::Report report = cluster.framework().EvaluateAllNodes(cluster.pod());
  std::vector<NodeScore> scores;
  for (const scheduler::Report::Node& node : report.nodes) {
    if (!node.verdict.ok()) continue;
    NodeScore& score = scores.emplace_back();
    score.node = cluster.cluster().node_name(node.slot);
    score.total = node.total;
    for (const scheduler::Report::Score& one : node.scores) {
      score.plugins.emplace_back(one.plugin, one.weighted);
    }
  }
  std::ranges::stable_sort(scores, std::ranges::greater(), &NodeScore::total);
  return scores;
}

PreemptionPlan PlanPreemption(ClusterSnapshot& cluster, const Attempt& attempt,
                              const Diagnosis& diagnosis) {
  Random random(1);
  const scheduler::PostFilterOutcome outcome =
      cluster.framework().PostFilter(attempt, diagnosis, random);
  PreemptionPlan plan;
  if (!outcome.verdict.ok()) {
    // An error of a plugin whose PreFilter did not run is not useful to users.
    if (outcome.verdict.rejected()) plan.message = outcome.verdict.Message();
    return plan;
  }
  plan.node = cluster.cluster().node_name(outcome.node);
  for (const scheduler::PodId victim : outcome.victims) {
    const api::ObjectMeta& metadata = cluster.cluster().pod(victim).pod->metadata;
    plan.victims.push_back(std::string(metadata.namespace_) + "/" + std::string(metadata.name));
  }
  return plan;
}

}  // namespace

std::string_view TitleOf(std::string_view plugin) {
  const auto* const found =
      std::ranges::find(kTitles, plugin, [](const auto& title) { return title.first; });
  return found == std::end(kTitles) ? plugin : found->second;
}

std::size_t Placement::RankOf(std::string_view node) const {
  const auto found = std::ranges::find(fits, node, &NodeScore::node);
  return found == fits.end() ? 0 : static_cast<std::size_t>(found - fits.begin()) + 1;
}

Placement ExplainPlacement(ClusterSnapshot& cluster) {
  scheduler::Framework& framework = cluster.framework();
  Placement placement;
  placement.nodes = cluster.cluster().node_count();
  placement.gated = framework.PreEnqueue(*cluster.pending_pod()).Message();
  const Attempt attempt = framework.Begin(cluster.pod());
  const Diagnosis diagnosis = framework.Explain(attempt);
  placement.error = diagnosis.error.Message();
  placement.funnel = FunnelOf(diagnosis, attempt, framework);
  placement.reasons = ReasonsOf(diagnosis, attempt, cluster);
  SortByStage(placement.funnel, placement.reasons);
  const std::size_t left =
      placement.funnel.empty() ? placement.nodes : placement.funnel.back().left;
  if (!placement.error.empty()) return placement;
  if (left > 0) {
    placement.fits = ScoresOf(cluster);
    return placement;
  }
  placement.message = diagnosis.FilterMessage();
  if (placement.nodes > 0) {
    placement.preemption = PlanPreemption(cluster, attempt, diagnosis);
  }
  return placement;
}

std::vector<NodeVerdicts> JudgeNodes(ClusterSnapshot& cluster, std::string_view only) {
  scheduler::Framework& framework = cluster.framework();
  const Attempt attempt = framework.Begin(cluster.pod());
  std::vector<NodeVerdicts> all;
  for (const std::string& name : cluster.NodeNames()) {
    if (!only.empty() && name != only) continue;
    const NodeSlot slot = *cluster.cluster().FindNode(name);
    NodeVerdicts& verdicts = all.emplace_back();
    verdicts.node = name;
    if (!attempt.pre_filter.ok()) {
      verdicts.refusals.push_back(attempt.pre_filter);
      continue;
    }
    verdicts.is_excluded = attempt.narrowed && !attempt.narrowed->Test(slot);
    for (const auto& [plugin, place, plugin_name] : framework.At<scheduler::FilterPlugin>()) {
      if (attempt.filters[place] == 0) continue;
      Verdict verdict =
          plugin->Judge(attempt.filter_states[place].get(), cluster.cluster().view(slot));
      if (verdict.ok()) continue;
      verdict.plugin = plugin_name;
      verdicts.refusals.push_back(std::move(verdict));
    }
    if (!verdicts.accepts()) continue;
    // The pod may not fit together with the pods nominated to the node.
    Verdict together =
        framework.Judge(attempt, attempt.filter_states, cluster.cluster().view(slot));
    if (!together.ok()) verdicts.refusals.push_back(std::move(together));
  }
  return all;
}

}  // namespace plimsoll::cli
