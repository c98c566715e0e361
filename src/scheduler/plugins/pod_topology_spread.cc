#include "scheduler/plugins/pod_topology_spread.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "api/validation/list_limits.h"
#include "scheduler/plugins/factories.h"

namespace plimsoll::scheduler {
namespace {

constexpr std::string_view kTooSkewed = "node(s) didn't match pod topology spread constraints";
constexpr std::string_view kMissingLabel =
    "node(s) didn't match pod topology spread constraints (missing required label)";

/// Change of the number of pods under a code, for a what-if query.
struct SpreadShift {
  std::size_t rule = 0;
  TopologyCode code = kUnlabelled;
  std::int64_t pods = 0;
};

class SpreadFilterState final : public PluginState {
 public:
  SpreadFilterState(std::shared_ptr<const SpreadPlan> plan, std::string_view pod_namespace)
      : plan_(std::move(plan)), namespace_(pod_namespace) {
    plan_->CatchUp();
    fewest_.reserve(plan_->rules.size());
    for (std::size_t i = 0; i < plan_->rules.size(); ++i) fewest_.push_back(FindFewest(i));
  }

  std::unique_ptr<PluginState> Clone() const override {
    return std::make_unique<SpreadFilterState>(*this);
  }

  const SpreadPlan& plan() const { return *plan_; }
  const std::string& pod_namespace() const { return namespace_; }

  void Add(std::size_t rule, TopologyCode code, std::int64_t pods) {
    const auto same = std::ranges::find_if(shifts_, [&](const SpreadShift& shift) {
      return shift.rule == rule && shift.code == code;
    });
    if (same == shifts_.end()) {
      shifts_.push_back({rule, code, pods});
    } else {
      same->pods += pods;
    }
    fewest_[rule] = FindFewest(rule);
  }

  bool FitsUnder(std::size_t i, TopologyCode code) const {
    const SpreadRule& rule = plan_->rules[i];
    return PodsUnder(i, code) + (rule.matches_self ? 1 : 0) - fewest_[i] <= rule.max_skew;
  }

 private:
  std::int64_t PodsUnder(std::size_t i, TopologyCode code) const {
    std::int64_t pods = plan_->rules[i].tally->pods()[code];
    for (const SpreadShift& shift : shifts_) {
      if (shift.rule == i && shift.code == code) pods += shift.pods;
    }
    return pods;
  }

  /// Returns the pod count of the emptiest domain; 0 if there are fewer domains than minDomains.
  std::int64_t FindFewest(std::size_t i) const {
    const SpreadRule& rule = plan_->rules[i];
    const std::span<const std::uint32_t> nodes = rule.tally->nodes();
    std::int64_t domains = 0;
    std::int64_t fewest = std::numeric_limits<std::int64_t>::max();
    for (std::size_t code = 0; code < nodes.size(); ++code) {
      if (nodes[code] == 0) continue;
      ++domains;
      fewest = std::min(fewest, PodsUnder(i, static_cast<TopologyCode>(code)));
    }
    return domains == 0 || domains < rule.min_domains ? 0 : fewest;
  }

  std::shared_ptr<const SpreadPlan> plan_;
  std::string namespace_;
  std::vector<std::int64_t> fewest_;  // indexed by rule
  std::vector<SpreadShift> shifts_;
};

const SpreadFilterState& Of(const PluginState* state) {
  return static_cast<const SpreadFilterState&>(*state);
}

bool HasAllKeys(const SpreadPlan& plan, const api::StringMap& labels) {
  return std::ranges::all_of(
      plan.rules, [&](const SpreadRule& rule) { return labels.Has(rule.column().key()); });
}

bool MatchesAny(const SpreadPlan& plan, const api::StringMap& labels) {
  return std::ranges::any_of(plan.rules,
                             [&](const SpreadRule& rule) { return rule.selector.Matches(labels); });
}

}  // namespace

PodTopologySpread::PodTopologySpread(ClusterState& cluster, const PodTopologySpreadArgs& args)
    : Plugin(cluster), plans_(std::make_unique<SpreadPlans>(cluster, args)) {}

PreFilterOutcome PodTopologySpread::PreFilterClass(const PodClass& pod) {
  const std::size_t constraints = pod.view->topology_spread_constraints.size();
  if (constraints > api::kSpreadConstraintsMax) {
    return {.verdict =
                Verdict::Of(Code::UnschedulableAndUnresolvable,
                            "pod has " + std::to_string(constraints) +
                                " topology spread constraints, at most " +
                                std::to_string(api::kSpreadConstraintsMax) + " are supported")};
  }
  auto plan = plans_->Get(pod, SpreadAction::DoNotSchedule);
  if (!plan->error.empty()) return {.verdict = Verdict::Of(Code::Error, plan->error)};
  if (plan->rules.empty()) return {.verdict = Verdict::Skip()};
  return {.state = std::make_shared<SpreadFilterState>(std::move(plan), pod.namespace_())};
}

Verdict PodTopologySpread::Judge(const PluginState* state, const NodeView& node) const {
  const SpreadFilterState& counts = Of(state);
  const std::vector<SpreadRule>& rules = counts.plan().rules;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    const TopologyCode code = rules[i].column().code(node.slot);
    if (code == kUnlabelled) {
      return Verdict::Of(Code::UnschedulableAndUnresolvable, std::string(kMissingLabel));
    }
    if (!counts.FitsUnder(i, code)) {
      return Verdict::Of(Code::Unschedulable, std::string(kTooSkewed));
    }
  }
  return {};
}

Verdict PodTopologySpread::Filter(const PluginState* state, Bitmap& nodes) const {
  const SpreadFilterState& counts = Of(state);
  const std::vector<SpreadRule>& rules = counts.plan().rules;
  match::LabelColumn::Answers answers;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    answers.assign(rules[i].column().code_limit(), 0);
    for (std::size_t code = kUnlabelled + 1; code < answers.size(); ++code) {
      answers[code] = counts.FitsUnder(i, static_cast<TopologyCode>(code)) ? 1 : 0;
    }
    cluster_.index().KeepTopology(rules[i].column().id(), answers, nodes);
  }
  return {};
}

void PodTopologySpread::AddPod(PluginState* state, PodId pod, const NodeView& node) const {
  Shift(state, pod, node, 1);
}

void PodTopologySpread::RemovePod(PluginState* state, PodId pod, const NodeView& node) const {
  Shift(state, pod, node, -1);
}

/// Like upstream, counts terminating pods and matches a selector without requirements, although the
/// initial counts do neither.
void PodTopologySpread::Shift(PluginState* state, PodId pod, const NodeView& node,
                              std::int64_t change) const {
  auto& counts = static_cast<SpreadFilterState&>(*state);
  const PodClass& moved = *cluster_.pod(pod).pod_class;
  if (moved.namespace_() != counts.pod_namespace()) return;
  const std::vector<SpreadRule>& rules = counts.plan().rules;
  for (std::size_t i = 0; i < rules.size(); ++i) {
    if (!rules[i].selector.Matches(moved.labels())) continue;
    const TopologyCode code = rules[i].tally->TopologyOf(node.slot);
    if (code != PodTally::kNotCounted) counts.Add(i, code, change);
  }
}

std::vector<EventInterest> PodTopologySpread::Interests() const {
  return {{EventResource::AssignedPod, kAdd | kUpdatePodLabel | kDelete},
          {EventResource::TargetPod, kUpdatePodLabel | kUpdatePodToleration},
          {EventResource::Node, kAdd | kDelete | kUpdateNodeLabel | kUpdateNodeTaint}};
}

Hint PodTopologySpread::HintForClass(const PodClass& pod, const ClusterEvent& event) const {
  const auto plan = plans_->Get(pod, SpreadAction::DoNotSchedule);
  if (!plan->error.empty()) return Hint::Queue;
  return event.resource == EventResource::Node ? AfterNodeChange(*plan, event)
                                               : AfterPodChange(pod, *plan, event);
}

Hint PodTopologySpread::AfterPodChange(const PodClass& pod, const SpreadPlan& plan,
                                       const ClusterEvent& event) const {
  const api::Pod* const before =
      event.old_object == nullptr ? nullptr : event.old_object->As<api::Pod>();
  const api::Pod* const after =
      event.new_object == nullptr ? nullptr : event.new_object->As<api::Pod>();
  if (before == nullptr && after == nullptr) return Hint::Queue;
  const bool is_own = event.resource == EventResource::TargetPod;
  for (const api::Pod* changed : {before, after}) {
    if (changed == nullptr || is_own) continue;
    if (changed->spec.node_name.empty() || changed->metadata.namespace_ != pod.namespace_()) {
      return Hint::Skip;
    }
  }
  if (before == nullptr) return MatchesAny(plan, after->metadata.labels) ? Hint::Queue : Hint::Skip;
  if (after == nullptr) return MatchesAny(plan, before->metadata.labels) ? Hint::Queue : Hint::Skip;
  // A new toleration may add nodes that did not count as domains.
  if (is_own && (event.actions & kUpdatePodToleration) != 0 &&
      std::ranges::any_of(plan.rules, &SpreadRule::honors_taints)) {
    return Hint::Queue;
  }
  const bool is_turned = std::ranges::any_of(plan.rules, [&](const SpreadRule& rule) {
    return rule.selector.Matches(before->metadata.labels) !=
           rule.selector.Matches(after->metadata.labels);
  });
  return is_turned ? Hint::Queue : Hint::Skip;
}

Hint PodTopologySpread::AfterNodeChange(const SpreadPlan& plan, const ClusterEvent& event) const {
  const api::Node* const before =
      event.old_object == nullptr ? nullptr : event.old_object->As<api::Node>();
  const api::Node* const after =
      event.new_object == nullptr ? nullptr : event.new_object->As<api::Node>();
  if (before == nullptr && after == nullptr) return Hint::Queue;
  const bool counted = before != nullptr && HasAllKeys(plan, before->metadata.labels);
  const bool counts = after != nullptr && HasAllKeys(plan, after->metadata.labels);
  if (counted != counts) return Hint::Queue;
  if (!counts) return Hint::Skip;
  // The node counts before and after: check whether its domain or its taints changed.
  const bool has_moved = std::ranges::any_of(plan.rules, [&](const SpreadRule& rule) {
    const std::string& key = rule.column().key();
    return before->metadata.labels.Find(key) != after->metadata.labels.Find(key);
  });
  return has_moved || before->spec.taints != after->spec.taints ? Hint::Queue : Hint::Skip;
}

std::unique_ptr<Plugin> MakePodTopologySpread(ClusterState& cluster, const PluginArgs& args) {
  return CreatePlugin<PodTopologySpread>(cluster, args.topology_spread);
}

}  // namespace plimsoll::scheduler
