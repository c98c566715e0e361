#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "scheduler/framework/framework.h"
#include "scheduler/framework/node_ranking_cache.h"
#include "scheduler/framework/scoring.h"

namespace plimsoll::scheduler {
namespace {

NodeSlot FirstOf(const Bitmap& nodes) {
  const std::span<const std::uint64_t> words = nodes.words();
  const auto word = std::ranges::find_if(words, [](std::uint64_t one) { return one != 0; });
  return static_cast<NodeSlot>(static_cast<std::size_t>(word - words.begin()) * Bitmap::kWordBits +
                               static_cast<std::size_t>(std::countr_zero(*word)));
}

}  // namespace

NodeSlot Framework::NominatedNode(const PodUnderTest& pod) const {
  if (pod.id != kNoPod) return cluster_.pod(pod.id).nominated;
  const std::string_view name = pod.pod.status.nominated_node_name;
  return name.empty() ? kNoNode : cluster_.FindNode(name).value_or(kNoNode);
}

bool Framework::HasClusterFilter(const Attempt& attempt) const {
  for (std::size_t i = 0; i < plugins_.size(); ++i) {
    if (attempt.filters[i] != 0 && plugins_[i].node_scoped == nullptr) return true;
  }
  return false;
}

Verdict Framework::FilterNodes(const Attempt& attempt, bool node_scoped, Bitmap& nodes) const {
  for (std::size_t i = 0; i < plugins_.size(); ++i) {
    const EnabledPlugin& plugin = plugins_[i];
    if (attempt.filters[i] == 0 || (plugin.node_scoped != nullptr) != node_scoped) continue;
    Verdict verdict = Timed(plugin.name(), kFilter, [&] {
      return plugin.filter->Filter(attempt.filter_states[i].get(), nodes);
    });
    if (!verdict.ok()) return NameFilter(std::move(verdict), plugin.name());
  }
  return {};
}

void Framework::JudgeContended(const Attempt& attempt, Bitmap& nodes) {
  Bitmap contended = cluster_.nominated_nodes();
  contended.Resize(nodes.size());
  contended.And(nodes);
  contended.ForEach([&](std::size_t i) {
    const NodeSlot slot = static_cast<NodeSlot>(i);
    if (IsContended(slot, attempt.pod) &&
        !Judge(attempt, attempt.filter_states, cluster_.view(slot)).ok()) {
      nodes.Reset(i);
    }
  });
}

std::size_t Framework::Sample(const Bitmap& candidates, Bitmap& feasible) {
  const std::size_t all = candidates.Count();
  const std::size_t wanted = FeasibleNodesWanted(all, options_.percentage_of_nodes_to_score);
  if (wanted >= all || feasible.Count() <= wanted) return all;
  Bitmap kept(feasible.size());
  std::size_t found = 0;
  std::size_t evaluated = 0;
  const std::vector<NodeSlot>& order = sample_order_.Get();
  std::size_t at = next_start_ % order.size();
  for (; found < wanted; at = (at + 1) % order.size()) {
    const NodeSlot slot = order[at];
    evaluated += candidates.Test(slot) ? 1 : 0;
    if (!feasible.Test(slot)) continue;
    kept.Set(slot);
    ++found;
  }
  next_start_ = at;
  feasible = std::move(kept);
  return evaluated;
}

Verdict Framework::FindOpenScores(const Attempt& attempt, const Bitmap& feasible,
                                  bool with_node_scoped, std::vector<OpenScore>& open) {
  for (std::size_t i = 0; i < plugins_.size(); ++i) {
    const EnabledPlugin& plugin = plugins_[i];
    if (!plugin.IsEnabledAt(kPreScore | kScore)) continue;
    if (plugin.node_scoped != nullptr && !with_node_scoped) continue;
    PreScoreOutcome outcome = RunPreScore(i, attempt, feasible);
    if (outcome.verdict.code == Code::Skip) continue;
    if (!outcome.verdict.ok()) return std::move(outcome.verdict);
    if (plugin.IsEnabledAt(kScore) && !outcome.is_flat) {
      open.push_back({i, std::move(outcome.state)});
    }
  }
  return {};
}

void Framework::AddScore(const OpenScore& score, const Bitmap& feasible) {
  const EnabledPlugin& plugin = plugins_[score.index];
  if (scores_.size() < feasible.size()) scores_.resize(feasible.size());
  Timed(plugin.name(), kScore, [&] {
    plugin.score->Score(score.state.get(), feasible, scores_);
    NormalizeScores(plugin, score.state.get(), feasible, scores_);
    return Verdict::Success();
  });
  const std::int64_t weight = plugin.weight;
  feasible.ForEach([&](std::size_t i) { totals_[i] += scores_[i] * weight; });
}

NodeRanking* Framework::RankingFor(const PodUnderTest& pod) {
  if (!can_rank_) return nullptr;
  if (observer_ != nullptr) ranking_times_.Begin(plugins_.size(), options_.stopwatch);
  NodeRanking& ranking = rankings_->Get(pod, observer_ != nullptr ? &ranking_times_ : nullptr);
  return ranking.is_valid() ? &ranking : nullptr;
}

void Framework::ReportRankingTimes(ExtensionPoint point, const Attempt& attempt,
                                   const NodeRanking& ranking) const {
  if (observer_ == nullptr) return;
  const PluginTimes::Durations& took =
      point == kFilter ? ranking_times_.filter : ranking_times_.score;
  for (std::size_t i = 0; i < plugins_.size(); ++i) {
    // A filter without PreFilter is never skipped, so it counts even if it had nothing to check.
    const bool has_filtered = attempt.filters[i] != 0 ? ranking.Filters(i)
                                                      : plugins_[i].IsEnabledAt(kFilter) &&
                                                            plugins_[i].pre_filter == nullptr;
    const bool has_run = point == kFilter ? has_filtered : ranking.Scores(i);
    if (has_run) observer_->PluginRan(plugins_[i].name(), point, Code::Success, took[i]);
  }
}

Placement Framework::SelectFromAllNodes(const Attempt& attempt, Random& random) {
  Bitmap candidates = cluster_.nodes();
  if (attempt.narrowed) candidates.And(*attempt.narrowed);
  if (const NodeSlot own = NominatedNode(attempt.pod); own != kNoNode) candidates.Reset(own);
  Bitmap feasible = candidates;
  Placement placement;
  for (const bool node_scoped : {true, false}) {
    placement.error = FilterNodes(attempt, node_scoped, feasible);
    if (!placement.error.ok()) return placement;
  }
  JudgeContended(attempt, feasible);
  placement.evaluated = Sample(candidates, feasible);
  placement.feasible = feasible.Count();
  placement.times.filter = Lap();
  if (placement.feasible == 1) placement.node = FirstOf(feasible);
  if (placement.feasible <= 1) return placement;
  std::vector<OpenScore> open;
  placement.error_point = kPreScore;
  placement.error = FindOpenScores(attempt, feasible, /*with_node_scoped=*/true, open);
  if (!placement.error.ok()) return placement;
  totals_.assign(feasible.size(), 0);
  for (const OpenScore& score : open) AddScore(score, feasible);
  placement.node = PickBest(feasible, totals_, random);
  return placement;
}

Placement Framework::SelectFromRanking(const Attempt& attempt, NodeRanking& ranking,
                                       Random& random) {
  const NodeSlot own = NominatedNode(attempt.pod);
  const bool has_cluster_filter = HasClusterFilter(attempt);
  const bool is_sampled = options_.percentage_of_nodes_to_score < 100;
  const bool is_whole = own == kNoNode && !attempt.narrowed && !has_cluster_filter && !is_sampled;
  ReportRankingTimes(kFilter, attempt, ranking);
  Placement placement{.feasible = ranking.feasible_count(), .evaluated = cluster_.node_count()};
  if (!is_whole) {
    feasible_ = ranking.feasible();
    if (attempt.narrowed) feasible_.And(*attempt.narrowed);
    if (own != kNoNode) feasible_.Reset(own);
    if (has_cluster_filter) {
      placement.error = FilterNodes(attempt, /*node_scoped=*/false, feasible_);
      if (!placement.error.ok()) return placement;
      JudgeContended(attempt, feasible_);
    }
    if (is_sampled) {
      Bitmap candidates = cluster_.nodes();
      if (attempt.narrowed) candidates.And(*attempt.narrowed);
      placement.evaluated = Sample(candidates, feasible_);
    }
    placement.feasible = feasible_.Count();
  }
  placement.times.filter = Lap();
  const Bitmap& feasible = is_whole ? ranking.feasible() : feasible_;
  if (placement.feasible == 1) placement.node = FirstOf(feasible);
  if (placement.feasible <= 1) return placement;

  ReportRankingTimes(kScore, attempt, ranking);
  std::vector<OpenScore> open;
  placement.error_point = kPreScore;
  placement.error = ranking.pre_score();
  if (placement.error.ok()) {
    placement.error = FindOpenScores(attempt, feasible, /*with_node_scoped=*/false, open);
  }
  if (!placement.error.ok()) return placement;
  if (open.empty()) {
    placement.node = is_whole ? ranking.Pick(random) : ranking.PickAmong(feasible, random);
    return placement;
  }
  if (totals_.size() < feasible.size()) totals_.resize(feasible.size());
  ranking.WriteTotals(feasible, totals_);
  for (const OpenScore& score : open) AddScore(score, feasible);
  placement.node = PickBest(feasible, totals_, random);
  return placement;
}

std::optional<Duration> Framework::Lap() {
  if (!options_.stopwatch) return std::nullopt;
  const Duration now = options_.stopwatch();
  return now - std::exchange(lap_, now);
}

Placement Framework::SchedulePod(const PodUnderTest& pod, Random& random) {
  if (cluster_.node_count() == 0) return {};
  Lap();
  NodeRanking* const ranking = RankingFor(pod);
  const Attempt attempt = Begin(pod, ranking);
  const std::optional<Duration> pre_filter = Lap();
  Placement placement;
  if (!attempt.pre_filter.ok()) {
    placement.error_point = kPreFilter;
    if (!attempt.pre_filter.rejected()) placement.error = attempt.pre_filter;
  } else if (const NodeSlot own = NominatedNode(pod);
             own != kNoNode && Judge(attempt, attempt.filter_states, cluster_.view(own)).ok()) {
    placement = {.node = own, .feasible = 1, .evaluated = 1, .times = {.filter = Lap()}};
  } else {
    placement = ranking != nullptr ? SelectFromRanking(attempt, *ranking, random)
                                   : SelectFromAllNodes(attempt, random);
    if (placement.feasible > 1) placement.times.score = Lap();
  }
  placement.times.pre_filter = pre_filter;
  return placement;
}

}  // namespace plimsoll::scheduler
