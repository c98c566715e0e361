#include "scheduler/plugins/spread_plan.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>
#include <utility>

#include "api/validation/list_limits.h"

namespace plimsoll::scheduler {
namespace {

using api::TopologySpreadConstraint;

constexpr std::string_view kHostname = "kubernetes.io/hostname";
constexpr std::string_view kZone = "topology.kubernetes.io/zone";

using Constraints = std::vector<TopologySpreadConstraint>;

Constraints SystemDefaults() {
  TopologySpreadConstraint by_node;
  by_node.topology_key = kHostname;
  by_node.when_unsatisfiable = ToText(SpreadAction::ScheduleAnyway);
  by_node.max_skew = 3;
  TopologySpreadConstraint by_zone = by_node;
  by_zone.topology_key = kZone;
  by_zone.max_skew = 5;
  return {by_node, by_zone};
}

bool HasSelection(const match::NodeConstraints& constraints) {
  return !constraints.node_selector.empty() || constraints.required_affinity() != nullptr;
}

bool HonorsAffinity(const TopologySpreadConstraint& constraint) {
  return constraint.node_affinity_policy.value_or("Honor") == "Honor";
}

bool HonorsTaints(const TopologySpreadConstraint& constraint) {
  return constraint.node_taints_policy.value_or("Ignore") == "Honor";
}

/// Returns the constraint's selector, restricted to pods with equal values for matchLabelKeys.
Result<api::Selector> SelectorOf(const TopologySpreadConstraint& constraint,
                                 const api::StringMap& labels) {
  api::Selector selector = PL_TRY(
      api::Selector::FromObject(constraint.label_selector ? &*constraint.label_selector : nullptr));
  if (!selector.is_selectable()) return selector;
  std::vector<api::Requirement> requirements;
  for (const std::string_view key : constraint.match_label_keys) {
    const std::optional<std::string_view> value = labels.Find(key);
    if (!value) continue;
    requirements.push_back(
        PL_TRY(api::Requirement::Make(key, api::SelectorOperator::Equals, std::span(&*value, 1))));
  }
  if (requirements.empty()) return selector;
  std::ranges::copy(selector.requirements(), std::back_inserter(requirements));
  return api::Selector::Of(std::move(requirements));
}

std::string Fault(SpreadAction action, std::string_view doing, const Error& error) {
  const bool is_hard = action == SpreadAction::DoNotSchedule;
  std::string text(is_hard ? "get constraints from pod: " : "calculating preScoreState: ");
  text.append(doing).append(is_hard ? "hard" : "soft").append(" topology spread constraints: ");
  return text.append(error.message);
}

void AppendText(std::string_view text, std::string& key) {
  key.append(std::to_string(text.size())).append(":").append(text);
}

}  // namespace

std::string_view ToText(SpreadAction action) {
  return action == SpreadAction::DoNotSchedule ? "DoNotSchedule" : "ScheduleAnyway";
}

SpreadPlans::SpreadPlans(ClusterState& cluster, const PodTopologySpreadArgs& args)
    : cluster_(cluster),
      is_system_defaulted_(args.defaulting == SpreadDefaulting::System),
      defaults_(args.default_constraints),
      no_plan_(std::make_shared<SpreadPlan>()),
      columns_(cluster) {
  if (is_system_defaulted_) defaults_ = std::make_shared<const Constraints>(SystemDefaults());
  if (defaults_ == nullptr) defaults_ = std::make_shared<const Constraints>();
  for (const SpreadAction action : {SpreadAction::DoNotSchedule, SpreadAction::ScheduleAnyway}) {
    has_default_[static_cast<std::size_t>(action)] =
        std::ranges::find(*defaults_, ToText(action),
                          &TopologySpreadConstraint::when_unsatisfiable) != defaults_->end();
  }
}

std::shared_ptr<const SpreadPlan> SpreadPlans::Get(const PodClass& pod_class, SpreadAction action) {
  const auto& own = pod_class.view->topology_spread_constraints;
  if (own.empty() && !has_default_[static_cast<std::size_t>(action)]) return no_plan_;
  if (own.size() > api::kSpreadConstraintsMax) return no_plan_;
  Kept& kept = kept_[static_cast<std::size_t>(action)][pod_class];
  if (own.empty()) {
    MakeDefault(pod_class, action, kept);
  } else if (kept.plan == nullptr) {
    SpreadPlan plan;
    auto rules = MakeRules(pod_class, own, action, nullptr);
    if (rules) {
      plan.rules = *std::move(rules);
    } else {
      plan.error = Fault(action, "obtaining pod's ", rules.error());
    }
    kept.plan = std::make_shared<const SpreadPlan>(std::move(plan));
  }
  return kept.plan;
}

bool SpreadPlans::Prepare(const PodClass& pod_class, WorkBudget& budget) {
  if (pod_class.view->topology_spread_constraints.empty()) return true;
  const bool may_begin = budget.left > 0;
  bool has_begun = false;
  for (const SpreadAction action : {SpreadAction::DoNotSchedule, SpreadAction::ScheduleAnyway}) {
    const auto plan = Get(pod_class, action);
    for (const SpreadRule& rule : plan->rules) {
      PodTally& tally = *rule.tally;
      if (tally.StartsAfresh()) {
        if (!may_begin || (has_begun && budget.IsSpent())) return false;
        has_begun = true;
      }
      const std::uint64_t before = tally.work();
      tally.CatchUp();
      // Each node costs one label lookup per constraint.
      budget.Spend((tally.work() - before) * plan->rules.size());
    }
  }
  return true;
}

void SpreadPlans::MakeDefault(const PodClass& pod_class, SpreadAction action, Kept& kept) {
  // Most changes of services and controllers change no selector, so the counts stay valid.
  if (!kept.default_selector.Update(*pod_class.view, cluster_)) return;
  const api::Selector& selector = kept.default_selector.selector();
  if (selector.empty()) {
    kept.plan = no_plan_;
    return;
  }
  SpreadPlan plan;
  plan.wants_all_labels = !is_system_defaulted_;
  auto rules = MakeRules(pod_class, *defaults_, action, &selector);
  if (rules) {
    plan.rules = *std::move(rules);
  } else {
    plan.error = Fault(action, "setting default ", rules.error());
  }
  kept.plan = std::make_shared<const SpreadPlan>(std::move(plan));
}

/// `selector`, if not null, replaces the selectors of the constraints.
Result<std::vector<SpreadRule>> SpreadPlans::MakeRules(
    const PodClass& pod_class, const std::vector<TopologySpreadConstraint>& constraints,
    SpreadAction action, const api::Selector* selector) {
  const bool wants_all_labels = selector == nullptr || !is_system_defaulted_;
  std::vector<std::string_view> wanted_keys;
  for (const TopologySpreadConstraint& constraint : constraints) {
    if (wants_all_labels && constraint.when_unsatisfiable == ToText(action)) {
      wanted_keys.push_back(constraint.topology_key);
    }
  }
  std::vector<SpreadRule> rules;
  for (const TopologySpreadConstraint& constraint : constraints) {
    if (constraint.when_unsatisfiable != ToText(action)) continue;
    SpreadRule rule;
    rule.selector = PL_TRY(SelectorOf(constraint, pod_class.labels()));
    if (selector != nullptr) rule.selector = *selector;
    rule.max_skew = constraint.max_skew;
    rule.min_domains = constraint.min_domains.value_or(1);
    rule.matches_self = rule.selector.Matches(pod_class.labels());
    rule.honors_taints = HonorsTaints(constraint);
    rule.is_per_node = constraint.topology_key == kHostname;
    rule.tally = MakeTally(pod_class, constraint, rule.selector, wanted_keys);
    rules.push_back(std::move(rule));
  }
  return rules;
}

std::shared_ptr<PodTally> SpreadPlans::MakeTally(const PodClass& pod_class,
                                                 const TopologySpreadConstraint& constraint,
                                                 const api::Selector& selector,
                                                 const std::vector<std::string_view>& wanted_keys) {
  const bool selects_nodes =
      HonorsAffinity(constraint) && HasSelection(pod_class.view->node_constraints);
  const bool checks_taints = HonorsTaints(constraint);
  const auto parts = !checks_taints   ? match::ProgramParts::Selection
                     : !selects_nodes ? match::ProgramParts::Tolerations
                                      : match::ProgramParts::Both;
  const bool has_program = selects_nodes || checks_taints;

  std::string& key = key_scratch_;
  key.clear();
  AppendText(pod_class.namespace_(), key);
  // A selector without requirements counts no pods, like a missing one.
  const bool counts_none = !selector.is_selectable() || selector.empty();
  AppendText(selector.Text(), key);
  AppendText(constraint.topology_key, key);
  for (const std::string_view wanted : wanted_keys) AppendText(wanted, key);
  if (has_program) {
    key += static_cast<char>('a' + std::to_underlying(parts));
    match::AppendContent(pod_class.view->node_constraints, parts, key);
  }

  return tallies_.Get(key, [&] {
    CountedPods pods;
    pods.with_terminating = false;
    pods.matches = [namespace_ = std::string(pod_class.namespace_()), selector,
                    counts_none](const PodClass& other) {
      return !counts_none && other.namespace_() == namespace_ && selector.Matches(other.labels());
    };
    CountedNodes nodes;
    for (const std::string_view wanted : wanted_keys) {
      nodes.labelled.push_back(columns_.Get(wanted));
    }
    if (has_program)
      nodes.program = cluster_.index().Compile(pod_class.view->node_constraints, parts);
    nodes.checks_taints = checks_taints;
    return std::make_shared<PodTally>(cluster_, columns_.Get(constraint.topology_key),
                                      std::move(pods), std::move(nodes));
  });
}

}  // namespace plimsoll::scheduler
