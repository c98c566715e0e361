#include "scheduler/plugins/inter_pod_affinity.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <utility>

#include "scheduler/plugins/factories.h"

namespace plimsoll::scheduler {
namespace {

constexpr std::string_view kAffinity = "node(s) didn't match pod affinity rules";
constexpr std::string_view kAntiAffinity = "node(s) didn't match pod anti-affinity rules";
constexpr std::string_view kExisting = "node(s) didn't satisfy existing pods anti-affinity rules";

/// Number of existing pods whose anti-affinity matches the incoming pod, by code of one label.
struct ForbiddenColumn {
  std::shared_ptr<TopologyColumn> column;
  std::vector<std::int64_t> pods;
};

class AffinityFilterState final : public PluginState {
 public:
  AffinityFilterState(std::shared_ptr<const AffinityPlan> plan,
                      std::shared_ptr<const ClassView> pod, std::vector<ForbiddenColumn> forbidden)
      : plan_(std::move(plan)),
        pod_(std::move(pod)),
        forbidden_(std::make_shared<const std::vector<ForbiddenColumn>>(std::move(forbidden))) {
    for (const AffinityRule& rule : plan_->affinity) near_pods_ += rule.tally->labelled_pods();
    for (const ForbiddenColumn& one : *forbidden_) known_.insert(one.column.get());
  }

  std::unique_ptr<PluginState> Clone() const override {
    return std::make_unique<AffinityFilterState>(*this);
  }

  const AffinityPlan& plan() const { return *plan_; }
  const ClassView& pod() const { return *pod_; }
  const std::vector<ForbiddenColumn>& forbidden() const { return *forbidden_; }
  /// Columns of forbidding pods that only exist because of a what-if change.
  const std::vector<std::shared_ptr<TopologyColumn>>& more_forbidden() const {
    return more_forbidden_;
  }

  std::int64_t PodsUnder(const AffinityRule& rule, TopologyCode code) const {
    return rule.tally->pods()[code] + Shifted(&rule, code);
  }
  std::int64_t Forbidding(const ForbiddenColumn& column, TopologyCode code) const {
    return column.pods[code] + Shifted(column.column.get(), code);
  }
  std::int64_t Forbidding(const TopologyColumn& column, TopologyCode code) const {
    return Shifted(&column, code);
  }

  /// No existing pod matches the affinity, but the pod itself does: it may be the first.
  bool IsFirst() const { return near_pods_ == 0 && plan_->matches_self; }

  void AddNear(const AffinityRule& rule, TopologyCode code, std::int64_t pods) {
    near_pods_ += pods;
    Add(&rule, code, pods);
  }
  void AddApart(const AffinityRule& rule, TopologyCode code, std::int64_t pods) {
    Add(&rule, code, pods);
  }
  void AddForbidding(const std::shared_ptr<TopologyColumn>& column, TopologyCode code,
                     std::int64_t pods) {
    if (known_.insert(column.get()).second) more_forbidden_.push_back(column);
    Add(column.get(), code, pods);
  }

 private:
  void Add(const void* where, TopologyCode code, std::int64_t pods) {
    shifts_[{where, code}] += pods;
  }
  std::int64_t Shifted(const void* where, TopologyCode code) const {
    if (shifts_.empty()) return 0;
    const auto found = shifts_.find({where, code});
    return found == shifts_.end() ? 0 : found->second;
  }

  std::shared_ptr<const AffinityPlan> plan_;
  std::shared_ptr<const ClassView> pod_;
  std::shared_ptr<const std::vector<ForbiddenColumn>> forbidden_;
  std::vector<std::shared_ptr<TopologyColumn>> more_forbidden_;
  std::int64_t near_pods_ = 0;  // pods that match the affinity, on nodes with the labels
  boost::unordered_flat_set<const TopologyColumn*> known_;  // of both lists of columns
  /// Changes of pod counts by code, for a what-if query. Keyed by the rule, or by the column of
  /// forbidding pods.
  boost::unordered_flat_map<std::pair<const void*, TopologyCode>, std::int64_t> shifts_;
};

const AffinityFilterState& Of(const PluginState* state) {
  return static_cast<const AffinityFilterState&>(*state);
}

bool SatisfiesAffinity(const AffinityFilterState& state, NodeSlot slot) {
  bool is_near = true;
  for (const AffinityRule& rule : state.plan().affinity) {
    const TopologyCode code = rule.column().code(slot);
    if (code == kUnlabelled) return false;
    if (state.PodsUnder(rule, code) <= 0) is_near = false;
  }
  return is_near || state.IsFirst();
}

bool SatisfiesAntiAffinity(const AffinityFilterState& state, NodeSlot slot) {
  return std::ranges::none_of(state.plan().anti_affinity, [&](const AffinityRule& rule) {
    const TopologyCode code = rule.column().code(slot);
    return code != kUnlabelled && state.PodsUnder(rule, code) > 0;
  });
}

bool IsForbidden(const AffinityFilterState& state, NodeSlot slot) {
  const auto forbids = [&](const auto& column, TopologyCode code) {
    return code != kUnlabelled && state.Forbidding(column, code) > 0;
  };
  return std::ranges::any_of(state.forbidden(),
                             [&](const ForbiddenColumn& column) {
                               return forbids(column, column.column->code(slot));
                             }) ||
         std::ranges::any_of(state.more_forbidden(), [&](const auto& column) {
           return forbids(*column, column->code(slot));
         });
}

std::vector<ForbiddenColumn> FindForbidden(ExistingTerms& existing, const PodClass& pod_class) {
  std::vector<ForbiddenColumn> columns;
  boost::unordered_flat_map<const TopologyColumn*, std::size_t> places;
  for (const ExistingTerms::TermId id : existing.MatchedBy(pod_class).forbidding) {
    const ExistingTerms::Term& term = existing.term(id);
    if (term.labelled_uses == 0) continue;
    const auto [at, is_new] = places.try_emplace(term.column.get(), columns.size());
    if (is_new) {
      columns.push_back({term.column, std::vector<std::int64_t>(term.column->code_limit())});
    }
    std::vector<std::int64_t>& pods = columns[at->second].pods;
    for (const auto& [code, count] : term.weights) pods[code] += count;
  }
  return columns;
}

const api::Pod* PodOf(const ObjectPtr& object) {
  return object == nullptr ? nullptr : object->As<api::Pod>();
}

}  // namespace

InterPodAffinity::InterPodAffinity(ClusterState& cluster, const InterPodAffinityArgs& args)
    : Plugin(cluster),
      args_(args),
      columns_(std::make_unique<TopologyColumns>(cluster)),
      plans_(std::make_unique<AffinityPlans>(cluster, *columns_)),
      existing_(
          std::make_unique<ExistingTerms>(cluster, *columns_, args.hard_pod_affinity_weight)) {}

bool InterPodAffinity::Prepare(const PodClass& pod, WorkBudget& budget) {
  return plans_->Prepare(pod, budget);
}

PreFilterOutcome InterPodAffinity::PreFilterClass(const PodClass& pod) {
  auto plan = plans_->Get(pod);
  if (!plan->error.empty()) {
    return {.verdict =
                Verdict::Of(Code::UnschedulableAndUnresolvable, "parsing pod: " + plan->error)};
  }
  std::vector<ForbiddenColumn> forbidden;
  if (cluster_.pods_with_anti_affinity() > 0) {
    existing_->CatchUp();
    forbidden = FindForbidden(*existing_, pod);
  }
  if (forbidden.empty() && plan->affinity.empty() && plan->anti_affinity.empty()) {
    return {.verdict = Verdict::Skip()};
  }
  for (const AffinityRule& rule : plan->affinity) rule.tally->CatchUp();
  for (const AffinityRule& rule : plan->anti_affinity) rule.tally->CatchUp();
  return {.state = std::make_shared<AffinityFilterState>(std::move(plan), pod.view,
                                                         std::move(forbidden))};
}

Verdict InterPodAffinity::Judge(const PluginState* state, const NodeView& node) const {
  const AffinityFilterState& counts = Of(state);
  if (!SatisfiesAffinity(counts, node.slot)) {
    return Verdict::Of(Code::UnschedulableAndUnresolvable, std::string(kAffinity));
  }
  if (!SatisfiesAntiAffinity(counts, node.slot)) {
    return Verdict::Of(Code::Unschedulable, std::string(kAntiAffinity));
  }
  if (IsForbidden(counts, node.slot)) {
    return Verdict::Of(Code::Unschedulable, std::string(kExisting));
  }
  return {};
}

Verdict InterPodAffinity::Filter(const PluginState* state, Bitmap& nodes) const {
  const AffinityFilterState& counts = Of(state);
  match::LabelColumn::Answers answers;
  const auto keep = [&](const TopologyColumn& column, bool when_unlabelled, auto&& is_kept) {
    answers.assign(column.code_limit(), 0);
    answers[kUnlabelled] = when_unlabelled ? 1 : 0;
    for (std::size_t code = kUnlabelled + 1; code < answers.size(); ++code) {
      answers[code] = is_kept(static_cast<TopologyCode>(code)) ? 1 : 0;
    }
    cluster_.index().KeepTopology(column.id(), answers, nodes);
  };
  for (const AffinityRule& rule : counts.plan().affinity) {
    if (counts.IsFirst()) {
      nodes.And(rule.column().labelled());
    } else {
      keep(rule.column(), false,
           [&](TopologyCode code) { return counts.PodsUnder(rule, code) > 0; });
    }
  }
  for (const AffinityRule& rule : counts.plan().anti_affinity) {
    keep(rule.column(), true, [&](TopologyCode code) { return counts.PodsUnder(rule, code) <= 0; });
  }
  for (const ForbiddenColumn& column : counts.forbidden()) {
    keep(*column.column, true,
         [&](TopologyCode code) { return counts.Forbidding(column, code) <= 0; });
  }
  for (const auto& column : counts.more_forbidden()) {
    keep(*column, true, [&](TopologyCode code) { return counts.Forbidding(*column, code) <= 0; });
  }
  return {};
}

void InterPodAffinity::AddPod(PluginState* state, PodId pod, const NodeView& node) const {
  Shift(state, pod, node, 1);
}

void InterPodAffinity::RemovePod(PluginState* state, PodId pod, const NodeView& node) const {
  Shift(state, pod, node, -1);
}

void InterPodAffinity::Shift(PluginState* state, PodId pod, const NodeView& node,
                             std::int64_t change) const {
  auto& counts = static_cast<AffinityFilterState&>(*state);
  const PodClass& moved = *cluster_.pod(pod).pod_class;
  const AffinityPlan& plan = counts.plan();
  if (MatchesAll(plan.affinity, moved, cluster_.namespaces)) {
    for (const AffinityRule& rule : plan.affinity) {
      const TopologyCode code = rule.column().code(node.slot);
      if (code != kUnlabelled) counts.AddNear(rule, code, change);
    }
  }
  for (const AffinityRule& rule : plan.anti_affinity) {
    if (rule.Matches(moved, cluster_.namespaces))
      counts.AddApart(rule, rule.column().code(node.slot), change);
  }
  if (!moved.has_required_anti_affinity) return;
  const ClassView& incoming = counts.pod();
  const api::StringMap& namespace_labels =
      LabelsOfNamespace(cluster_.namespaces, incoming.namespace_);
  for (const ExistingTerms::Held& held : existing_->TermsOf(moved)) {
    const ExistingTerms::Term& term = existing_->term(held.term);
    if (term.kind != ExistingTerms::Kind::Forbids) continue;
    if (!term.term.Matches(incoming.namespace_, namespace_labels, incoming.labels)) continue;
    term.column->CatchUp();
    counts.AddForbidding(term.column, term.column->code(node.slot), change);
  }
}

std::vector<EventInterest> InterPodAffinity::Interests() const {
  return {{EventResource::AssignedPod, kAdd | kUpdatePodLabel | kDelete},
          {EventResource::TargetPod, kUpdatePodLabel},
          {EventResource::Node, kAdd | kUpdateNodeLabel | kUpdateNodeTaint}};
}

Hint InterPodAffinity::HintForClass(const PodClass& pod, const ClusterEvent& event) const {
  if (event.resource == EventResource::Node) return AfterNodeChange(pod, event);
  // With new labels, no existing pod may forbid it any more, or it may match its own affinity.
  if (event.resource == EventResource::TargetPod) return Hint::Queue;
  return AfterPodChange(pod, event);
}

/// Wider than upstream's hint. Upstream ignores pods that forbid this one, and pods that match only
/// some anti-affinity terms. Those pods would have to wait for the next flush.
Hint InterPodAffinity::AfterPodChange(const PodClass& pod, const ClusterEvent& event) const {
  const api::Pod* const before = PodOf(event.old_object);
  const api::Pod* const after = PodOf(event.new_object);
  if (before == nullptr && after == nullptr) return Hint::Queue;
  const auto plan = plans_->Get(pod);
  const auto matches = [&](const AffinityRule& rule, const api::Pod* there) {
    return there != nullptr && rule.term.Matches(cluster_.namespaces, there->metadata.namespace_,
                                                 there->metadata.labels);
  };
  const auto is_near = [&](const api::Pod* there) {
    return !plan->affinity.empty() &&
           std::ranges::all_of(plan->affinity,
                               [&](const AffinityRule& rule) { return matches(rule, there); });
  };
  if (!is_near(before) && is_near(after)) return Hint::Queue;
  const bool is_out_of_the_way = std::ranges::any_of(
      plan->anti_affinity,
      [&](const AffinityRule& rule) { return matches(rule, before) && !matches(rule, after); });
  if (is_out_of_the_way) return Hint::Queue;
  return after == nullptr && Forbids(*before, pod) ? Hint::Queue : Hint::Skip;
}

bool InterPodAffinity::Forbids(const api::Pod& there, const PodClass& pod) const {
  const std::string_view pod_namespace = pod.namespace_();
  const api::StringMap& namespace_labels = LabelsOfNamespace(cluster_.namespaces, pod_namespace);
  return std::ranges::any_of(ReadPodTerms(ClassView::Of(there)).anti_affinity,
                             [&](const PodTerm& term) {
                               return term.Matches(pod_namespace, namespace_labels, pod.labels());
                             });
}

Hint InterPodAffinity::AfterNodeChange(const PodClass& pod, const ClusterEvent& event) const {
  const api::Node* const after =
      event.new_object == nullptr ? nullptr : event.new_object->As<api::Node>();
  const auto plan = plans_->Get(pod);
  // Without required affinity, other pods forbade it; the new node may be out of their reach.
  if (after == nullptr || plan->affinity.empty()) return Hint::Queue;
  const bool has_key = std::ranges::any_of(plan->affinity, [&](const AffinityRule& rule) {
    return after->metadata.labels.Has(rule.column().key());
  });
  return has_key ? Hint::Queue : Hint::Skip;
}

std::unique_ptr<Plugin> MakeInterPodAffinity(ClusterState& cluster, const PluginArgs& args) {
  return CreatePlugin<InterPodAffinity>(cluster, args.inter_pod_affinity);
}

}  // namespace plimsoll::scheduler
