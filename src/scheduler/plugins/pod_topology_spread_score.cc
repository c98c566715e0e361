#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "scheduler/limits.h"
#include "scheduler/plugins/pod_topology_spread.h"

namespace plimsoll::scheduler {
namespace {

constexpr std::int64_t kScoreMax = 100;

/// Score contribution of one rule: `credits` by code, or by slot if the rule counts pods per
/// node.
struct SpreadCredit {
  const SpreadRule* rule = nullptr;
  std::span<const TopologyCode> codes;  // of the rule's column, by slot; empty: all unlabelled
  double weight = 0;
  std::vector<double> credits;

  double Worth(std::int64_t pods) const {
    return static_cast<double>(pods) * weight + static_cast<double>(rule->max_skew - 1);
  }
};

class SpreadScoreState final : public PluginState {
 public:
  std::shared_ptr<const SpreadPlan> plan;
  Bitmap ignored;  // feasible nodes without a required label
  std::vector<SpreadCredit> credits;

  std::int64_t ScoreOf(NodeSlot slot) const {
    double score = 0;
    for (const SpreadCredit& credit : credits) {
      const TopologyCode code = credit.codes.empty() ? kUnlabelled : credit.codes[slot];
      if (code != kUnlabelled) score += credit.credits[credit.rule->is_per_node ? slot : code];
    }
    // Rounds half up; scores are never negative. Adding 0.5 would introduce a rounding error.
    const auto whole = static_cast<std::int64_t>(score);
    return score - static_cast<double>(whole) < 0.5 ? whole : whole + 1;
  }
};

const SpreadScoreState& Of(const PluginState* state) {
  return static_cast<const SpreadScoreState&>(*state);
}

/// Returns the number of domains. Nodes without the label belong to the domain of the empty value.
std::size_t CountDomains(const TopologyColumn& column, const Bitmap& nodes) {
  std::vector<std::uint8_t> seen(column.code_limit(), 0);
  nodes.ForEach([&](std::size_t slot) { seen[column.code(static_cast<NodeSlot>(slot))] = 1; });
  const auto domains = static_cast<std::size_t>(std::ranges::count(seen, 1));
  const TopologyCode empty = column.CodeOfEmptyText();
  const bool is_twice = empty != kUnlabelled && seen[kUnlabelled] != 0 && seen[empty] != 0;
  return is_twice ? domains - 1 : domains;
}

SpreadCredit MakeCredit(const SpreadRule& rule, std::size_t domains, std::size_t slot_limit) {
  SpreadCredit credit{&rule, rule.column().codes(), std::log(static_cast<double>(domains + 2)), {}};
  if (rule.is_per_node) {
    credit.credits.assign(slot_limit, credit.Worth(0));
    rule.tally->ForEachNode(
        [&](NodeSlot slot, std::int64_t pods) { credit.credits[slot] = credit.Worth(pods); });
    return credit;
  }
  const std::span<const std::int64_t> pods = rule.tally->pods();
  credit.credits.reserve(pods.size());
  for (const std::int64_t count : pods) credit.credits.push_back(credit.Worth(count));
  const TopologyCode empty = rule.column().CodeOfEmptyText();
  if (empty != kUnlabelled) credit.credits[empty] = credit.Worth(pods[empty] + pods[kUnlabelled]);
  return credit;
}

}  // namespace

PreScoreOutcome PodTopologySpread::PreScore(const PodClass& pod,
                                            const PluginState* /*filter_state*/,
                                            const Bitmap& feasible) {
  auto plan = plans_->Get(pod, SpreadAction::ScheduleAnyway);
  if (!plan->error.empty()) return {.verdict = Verdict::Of(Code::Error, plan->error)};
  if (plan->rules.empty()) return {.verdict = Verdict::Skip()};
  plan->CatchUp();
  auto state = std::make_shared<SpreadScoreState>();
  Bitmap scored = feasible;
  if (plan->wants_all_labels) {
    for (const SpreadRule& rule : plan->rules) scored.And(rule.column().labelled());
  }
  state->ignored = feasible;
  state->ignored.AndNot(scored);
  for (const SpreadRule& rule : plan->rules) {
    const std::size_t domains =
        rule.is_per_node ? scored.Count() : CountDomains(rule.column(), scored);
    state->credits.push_back(MakeCredit(rule, domains, cluster_.slot_limit()));
  }
  state->plan = std::move(plan);
  return {.state = std::move(state)};
}

std::int64_t PodTopologySpread::ScoreOf(const PluginState* state, const NodeView& node) const {
  const SpreadScoreState& counts = Of(state);
  return counts.ignored.Test(node.slot) ? 0 : counts.ScoreOf(node.slot);
}

void PodTopologySpread::Score(const PluginState* state, const Bitmap& nodes,
                              std::span<std::int64_t> scores) const {
  const SpreadScoreState& counts = Of(state);
  nodes.ForEach(
      [&](std::size_t slot) { scores[slot] = counts.ScoreOf(static_cast<NodeSlot>(slot)); });
  counts.ignored.ForEach([&](std::size_t slot) { scores[slot] = 0; });
}

/// Fewer pods score higher. The fullest node gets lowest / highest of the maximum score.
void PodTopologySpread::NormalizeScore(const PluginState* state, const Bitmap& nodes,
                                       std::span<std::int64_t> scores) const {
  const Bitmap& ignored = Of(state).ignored;
  Bitmap scored = nodes;
  scored.AndNot(ignored);
  std::int64_t lowest = std::numeric_limits<std::int64_t>::max();
  std::int64_t highest = 0;
  scored.ForEach([&](std::size_t slot) {
    lowest = std::min(lowest, scores[slot]);
    highest = std::max(highest, scores[slot]);
  });
  const auto normalize = [&](std::int64_t score) {
    return highest == 0 ? kScoreMax : kScoreMax * (highest + lowest - score) / highest;
  };
  if (highest - lowest < kTabledScoresMax) {
    // Many nodes share few distinct scores, and divisions are slow.
    std::array<std::int64_t, kTabledScoresMax> table;
    for (std::int64_t score = lowest; score <= highest; ++score) {
      table[static_cast<std::size_t>(score - lowest)] = normalize(score);
    }
    scored.ForEach([&](std::size_t slot) {
      scores[slot] = table[static_cast<std::size_t>(scores[slot] - lowest)];
    });
  } else {
    scored.ForEach([&](std::size_t slot) { scores[slot] = normalize(scores[slot]); });
  }
  ignored.ForEach([&](std::size_t slot) { scores[slot] = 0; });
}

}  // namespace plimsoll::scheduler
