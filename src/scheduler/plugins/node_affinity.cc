#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "match/node_selector.h"
#include "scheduler/plugins/factories.h"

namespace plimsoll::scheduler {
namespace {

using NodeNames = std::set<std::string_view>;

bool HasPreferred(const match::NodeConstraints& constraints) {
  return constraints.node_affinity != nullptr && !constraints.node_affinity->preferred.empty();
}

/// Returns the node names that a term's fields allow; nullopt if they allow all.
std::optional<NodeNames> NamesOf(const api::NodeSelectorTerm& term) {
  std::optional<NodeNames> names;
  for (const api::NodeSelectorRequirement& field : term.match_fields) {
    if (field.key != "metadata.name" || field.op != "In") continue;
    const NodeNames wanted(field.values.begin(), field.values.end());
    if (!names) {
      names = wanted;
    } else {
      std::erase_if(*names, [&](std::string_view name) { return !wanted.contains(name); });
    }
  }
  return names;
}

/// Returns the node names that any term allows; nullopt if one allows all or there is no term.
std::optional<NodeNames> NamesOf(const api::NodeSelector* required) {
  if (required == nullptr || required->terms.empty()) return std::nullopt;
  NodeNames names;
  for (const api::NodeSelectorTerm& term : required->terms) {
    std::optional<NodeNames> of_term = NamesOf(term);
    if (!of_term) return std::nullopt;
    names.merge(*of_term);
  }
  return names;
}

struct AffinityState final : PluginState {
  explicit AffinityState(match::ProgramHandle compiled) : program(std::move(compiled)) {}

  match::ProgramHandle program;
};

const match::ProgramHandle& ProgramOf(const PluginState* state) {
  return static_cast<const AffinityState&>(*state).program;
}

/// Restricts pods to nodes that match their node selector and required affinity, and scores
/// preferred terms. The profile may add terms for all pods.
class NodeAffinity final : public Plugin,
                           public ClassEnqueueExtensions,
                           public ClassPreFilterPlugin,
                           public FilterPlugin,
                           public PreScorePlugin,
                           public ScorePlugin,
                           public NodeScopedPlugin {
 public:
  NodeAffinity(ClusterState& cluster, const NodeAffinityArgs& args)
      : Plugin(cluster), added_affinity_(args.added_affinity) {
    if (added_affinity_ == nullptr) return;
    added_spec_.affinity.emplace().node_affinity = *added_affinity_;
    added_.emplace(cluster_.index().Compile(added_spec_, match::ProgramParts::Selection));
  }

  std::string_view name() const override { return "NodeAffinity"; }

  std::vector<EventInterest> Interests() const override {
    return {{EventResource::Node, kAdd | kUpdateNodeLabel}};
  }

  Hint HintForClass(const PodClass& pod, const ClusterEvent& event) const override {
    const match::NodeConstraints& constraints = pod.view->node_constraints;
    const match::SelectorAnswer now = Match(constraints, *event.new_object);
    if (!now.matched) return now.parse_error.empty() ? Hint::Skip : Hint::Queue;
    const bool was_matched =
        event.old_object != nullptr && Match(constraints, *event.old_object).matched;
    return was_matched ? Hint::Skip : Hint::Queue;
  }

  Changes depends_on() const override { return kLabels; }
  Normalization normalization() const override { return Normalization::Highest; }

  PreFilterOutcome PreFilterClass(const PodClass& pod) override {
    const match::NodeConstraints& constraints = pod.view->node_constraints;
    const api::NodeSelector* const required = constraints.required_affinity();
    PreFilterOutcome outcome;
    if (required == nullptr && constraints.node_selector.empty() && !HasAddedRequired()) {
      outcome.verdict = Verdict::Skip();
      return outcome;
    }
    const std::optional<NodeNames> names = NamesOf(required);
    if (names && names->empty()) {
      outcome.verdict =
          Verdict::Of(Code::UnschedulableAndUnresolvable, "pod affinity terms conflict");
      return outcome;
    }
    outcome.state = MakeState(constraints);
    if (names) {
      outcome.nodes.emplace();
      for (const std::string_view name : *names) {
        if (const auto slot = cluster_.FindNode(name)) outcome.nodes->push_back(*slot);
      }
    }
    return outcome;
  }

  bool Accepts(const PluginState* state, const NodeView& node) const override {
    return PassesAdded(node.slot) && cluster_.index().Accepts(ProgramOf(state), node.slot);
  }

  Verdict Judge(const PluginState* state, const NodeView& node) const override {
    if (!PassesAdded(node.slot)) {
      return Verdict::Of(Code::UnschedulableAndUnresolvable,
                         "node(s) didn't match scheduler-enforced node affinity");
    }
    if (Accepts(state, node)) return {};
    return Verdict::Of(Code::UnschedulableAndUnresolvable,
                       "node(s) didn't match Pod's node affinity/selector");
  }

  Verdict Filter(const PluginState* state, Bitmap& nodes) const override {
    if (HasAddedRequired()) nodes.And(cluster_.index().Filter(*added_));
    nodes.And(cluster_.index().Filter(ProgramOf(state)));
    return {};
  }

  PreScoreOutcome PreScore(const PodClass& pod, const PluginState* /*filter_state*/,
                           const Bitmap& /*feasible*/) override {
    const match::NodeConstraints& constraints = pod.view->node_constraints;
    if (!HasPreferred(constraints) && !HasAddedPreferred()) {
      return {.verdict = Verdict::Skip(), .state = nullptr};
    }
    return {.verdict = {}, .state = MakeState(constraints)};
  }

  std::int64_t ScoreOf(const PluginState* state, const NodeView& node) const override {
    std::int64_t score = cluster_.index().ScorePreferredAffinity(ProgramOf(state), node.slot);
    if (added_) score += cluster_.index().ScorePreferredAffinity(*added_, node.slot);
    return score;
  }

  void Score(const PluginState* state, const Bitmap& nodes,
             std::span<std::int64_t> scores) const override {
    std::vector<std::int64_t> sums(cluster_.slot_limit());
    cluster_.index().ScorePreferredAffinity(ProgramOf(state), sums);
    nodes.ForEach([&](std::size_t slot) { scores[slot] = sums[slot]; });
    if (!HasAddedPreferred()) return;
    cluster_.index().ScorePreferredAffinity(*added_, sums);
    nodes.ForEach([&](std::size_t slot) { scores[slot] += sums[slot]; });
  }

 private:
  bool HasAddedRequired() const {
    return match::NodeConstraints(added_spec_).required_affinity() != nullptr;
  }
  bool HasAddedPreferred() const { return HasPreferred(added_spec_); }

  bool PassesAdded(NodeSlot slot) const {
    return !HasAddedRequired() || cluster_.index().Accepts(*added_, slot);
  }

  std::shared_ptr<PluginState> MakeState(const match::NodeConstraints& constraints) {
    return std::make_shared<AffinityState>(
        cluster_.index().Compile(constraints, match::ProgramParts::Selection));
  }

  match::SelectorAnswer Match(const match::NodeConstraints& constraints,
                              const api::Object& node) const {
    const match::NodeView view(node.metadata());
    const match::RequiredNodeAffinity added(added_spec_, cluster_.rules());
    if (!added.Match(view).matched) return {};
    return match::RequiredNodeAffinity(constraints, cluster_.rules()).Match(view);
  }

  const std::shared_ptr<const api::NodeAffinity> added_affinity_;  // null: none
  api::PodSpec added_spec_;  // contains only the added affinity
  std::optional<match::ProgramHandle> added_;
};

}  // namespace

std::unique_ptr<Plugin> MakeNodeAffinity(ClusterState& cluster, const PluginArgs& args) {
  return CreatePlugin<NodeAffinity>(cluster, args.node_affinity);
}

}  // namespace plimsoll::scheduler
