#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <limits>
#include <utility>

#include "scheduler/plugins/inter_pod_affinity.h"

namespace plimsoll::scheduler {
namespace {

constexpr double kScoreMax = 100;

/// Score contribution of one label, by code. Nodes without the label get nothing.
struct AffinityCredit {
  std::shared_ptr<TopologyColumn> column;
  std::span<const TopologyCode> codes;  // codes of the column, by slot; not empty
  std::vector<std::int64_t> credits;
};

class AffinityScoreState final : public PluginState {
 public:
  std::vector<AffinityCredit> credits;

  /// REQUIRES: some node has the column's label.
  std::vector<std::int64_t>& In(const std::shared_ptr<TopologyColumn>& column) {
    const auto [at, is_new] = places_.try_emplace(column.get(), credits.size());
    if (is_new) {
      credits.emplace_back(column, column->codes(),
                           std::vector<std::int64_t>(column->code_limit()));
    }
    return credits[at->second].credits;
  }

  std::int64_t ScoreOf(NodeSlot slot) const {
    std::int64_t score = 0;
    for (const AffinityCredit& credit : credits) score += credit.credits[credit.codes[slot]];
    return score;
  }

 private:
  boost::unordered_flat_map<const TopologyColumn*, std::size_t> places_;  // index in credits
};

const AffinityScoreState& Of(const PluginState* state) {
  return static_cast<const AffinityScoreState&>(*state);
}

}  // namespace

PreScoreOutcome InterPodAffinity::PreScore(const PodClass& pod, const PluginState* /*filter_state*/,
                                           const Bitmap& /*feasible*/) {
  const auto plan = plans_->Get(pod);
  if (!plan->error.empty()) {
    return {.verdict = Verdict::Of(Code::Error, "failed to parse pod: " + plan->error)};
  }
  const bool asks_others =
      !plan->preferred.empty() || !args_.ignore_preferred_terms_of_existing_pods;
  auto state = std::make_shared<AffinityScoreState>();
  for (const AffinityRule& rule : plan->preferred) {
    rule.tally->CatchUp();
    if (rule.tally->labelled_pods() == 0) continue;
    std::vector<std::int64_t>& credits = state->In(rule.tally->shared_column());
    const std::span<const std::int64_t> pods = rule.tally->pods();
    for (std::size_t code = kUnlabelled + 1; code < pods.size(); ++code) {
      credits[code] += rule.weight * pods[code];
    }
  }
  if (asks_others && cluster_.pods_with_affinity() > 0) {
    existing_->CatchUp();
    for (const ExistingTerms::TermId id : existing_->MatchedBy(pod).weighing) {
      const ExistingTerms::Term& term = existing_->term(id);
      if (term.labelled_uses == 0) continue;
      std::vector<std::int64_t>& credits = state->In(term.column);
      for (const auto& [code, weight] : term.weights) credits[code] += weight;
    }
  }
  if (state->credits.empty()) return {.verdict = Verdict::Skip()};
  return {.state = std::move(state)};
}

std::int64_t InterPodAffinity::ScoreOf(const PluginState* state, const NodeView& node) const {
  return Of(state).ScoreOf(node.slot);
}

void InterPodAffinity::Score(const PluginState* state, const Bitmap& nodes,
                             std::span<std::int64_t> scores) const {
  const AffinityScoreState& counts = Of(state);
  nodes.ForEach(
      [&](std::size_t slot) { scores[slot] = counts.ScoreOf(static_cast<NodeSlot>(slot)); });
}

void InterPodAffinity::NormalizeScore(const PluginState* /*state*/, const Bitmap& nodes,
                                      std::span<std::int64_t> scores) const {
  std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
  std::int64_t highest = std::numeric_limits<std::int64_t>::min();
  nodes.ForEach([&](std::size_t slot) {
    lowest = std::min(lowest, scores[slot]);
    highest = std::max(highest, scores[slot]);
  });
  if (lowest > highest) return;  // no nodes
  const auto range = static_cast<double>(highest - lowest);
  nodes.ForEach([&](std::size_t slot) {
    const auto above = static_cast<double>(scores[slot] - lowest);
    scores[slot] = range > 0 ? static_cast<std::int64_t>(kScoreMax * (above / range)) : 0;
  });
}

}  // namespace plimsoll::scheduler
