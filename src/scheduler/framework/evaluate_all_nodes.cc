#include <algorithm>

#include "scheduler/framework/framework.h"
#include "scheduler/framework/scoring.h"

namespace plimsoll::scheduler {
namespace {

std::vector<NodeSlot> SlotsByName(const ClusterState& cluster) {
  std::vector<NodeSlot> slots;
  slots.reserve(cluster.node_count());
  cluster.nodes().ForEach([&](std::size_t i) { slots.push_back(static_cast<NodeSlot>(i)); });
  std::ranges::sort(slots, {}, [&](NodeSlot slot) { return cluster.node_name(slot); });
  return slots;
}

void FindBest(Report& report) {
  std::int64_t highest = 0;
  for (const Report::Node& node : report.nodes) {
    if (!node.verdict.ok()) continue;
    if (report.best.empty() || node.total > highest) {
      report.best.clear();
      highest = node.total;
    }
    if (node.total == highest) report.best.push_back(node.slot);
  }
}

}  // namespace

void Framework::AddScores(const Attempt& attempt, Report& report) {
  Bitmap feasible(cluster_.slot_limit());
  for (const Report::Node& node : report.nodes) {
    if (node.verdict.ok()) feasible.Set(node.slot);
  }
  if (!feasible.Any()) return;
  std::vector<std::int64_t> scores(cluster_.slot_limit());
  for (std::size_t i = 0; i < plugins_.size(); ++i) {
    const EnabledPlugin& plugin = plugins_[i];
    if (!plugin.IsEnabledAt(kPreScore | kScore)) continue;
    const PreScoreOutcome outcome = RunPreScore(i, attempt, feasible);
    if (outcome.verdict.code == Code::Skip) {
      report.skipped_scores.push_back(plugin.name());
      continue;
    }
    if (!outcome.verdict.ok()) {
      report.pre_score = outcome.verdict;
      return;
    }
    if (!plugin.IsEnabledAt(kScore)) continue;
    for (Report::Node& node : report.nodes) {
      if (!node.verdict.ok()) continue;
      scores[node.slot] = plugin.score->ScoreOf(outcome.state.get(), cluster_.view(node.slot));
      node.scores.push_back({.plugin = plugin.name(), .raw = scores[node.slot]});
    }
    NormalizeScores(plugin, outcome.state.get(), feasible, scores);
    for (Report::Node& node : report.nodes) {
      if (!node.verdict.ok()) continue;
      Report::Score& score = node.scores.back();
      score.normalized = scores[node.slot];
      score.weighted = score.normalized * plugin.weight;
      node.total += score.weighted;
    }
  }
  std::ranges::sort(report.skipped_scores);
  FindBest(report);
}

Report Framework::EvaluateAllNodes(const PodUnderTest& pod) {
  const Attempt attempt = Begin(pod);
  Report report;
  report.pre_filter = attempt.pre_filter;
  report.skipped_filters = attempt.skipped;
  std::ranges::sort(report.skipped_filters);
  if (attempt.narrowed) {
    std::vector<NodeSlot>& slots = report.narrowed.emplace();
    attempt.narrowed->ForEach([&](std::size_t i) { slots.push_back(static_cast<NodeSlot>(i)); });
  }
  if (!attempt.pre_filter.ok()) return report;
  for (const NodeSlot slot : SlotsByName(cluster_)) {
    Report::Node& node = report.nodes.emplace_back();
    node.slot = slot;
    node.is_excluded = attempt.narrowed && !attempt.narrowed->Test(slot);
    node.verdict = node.is_excluded ? Verdict{Code::UnschedulableAndUnresolvable, {}, {}}
                                    : Judge(attempt, attempt.filter_states, cluster_.view(slot));
  }
  AddScores(attempt, report);
  return report;
}

}  // namespace plimsoll::scheduler
