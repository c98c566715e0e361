#include <optional>
#include <string>
#include <utility>

#include "match/budgeted_evaluator.h"
#include "match/toleration.h"
#include "scheduler/limits.h"
#include "scheduler/plugins/factories.h"

namespace plimsoll::scheduler {
namespace {

struct TolerationState final : PluginState {
  explicit TolerationState(match::ProgramHandle compiled) : program(std::move(compiled)) {}

  match::ProgramHandle program;
};

const TolerationState& Of(const PluginState* state) {
  return static_cast<const TolerationState&>(*state);
}

/// Refuses nodes with NoSchedule or NoExecute taints that the pod does not tolerate. Prefers nodes
/// with few PreferNoSchedule taints that it does not tolerate.
class TaintToleration final : public Plugin,
                              public ClassEnqueueExtensions,
                              public ClassFilterPlugin,
                              public PreScorePlugin,
                              public ScorePlugin,
                              public NodeScopedPlugin {
 public:
  TaintToleration(ClusterState& cluster, bool names_taints)
      : Plugin(cluster), names_taints_(names_taints) {}

  std::string_view name() const override { return "TaintToleration"; }

  std::vector<EventInterest> Interests() const override {
    return {{EventResource::Node, kAdd | kUpdateNodeTaint},
            {EventResource::TargetPod, kUpdatePodToleration}};
  }

  Hint HintForClass(const PodClass& pod, const ClusterEvent& event) const override {
    if (event.resource != EventResource::Node) return Hint::Queue;
    match::Rules rules = cluster_.rules();
    std::optional<match::BudgetedEvaluator> evaluator;
    if (rules.evaluator != nullptr) {
      rules.evaluator = &evaluator.emplace(*rules.evaluator, kHintExpressionCostMax);
    }
    const bool helps = (event.old_object == nullptr || !Tolerates(pod, *event.old_object, rules)) &&
                       Tolerates(pod, *event.new_object, rules);
    return helps || (evaluator && evaluator->is_exhausted()) ? Hint::Queue : Hint::Skip;
  }

  Changes depends_on() const override { return kTaints; }
  Normalization normalization() const override { return Normalization::Lowest; }

  PreFilterOutcome BeginFilterClass(const PodClass& pod) override {
    return {.verdict = {}, .state = MakeState(pod), .nodes = {}};
  }

  bool Accepts(const PluginState* state, const NodeView& node) const override {
    return cluster_.index().Accepts(Of(state).program, node.slot);
  }

  Verdict Judge(const PluginState* state, const NodeView& node) const override {
    if (Accepts(state, node)) return {};
    if (!names_taints_) {
      return Verdict::Of(Code::UnschedulableAndUnresolvable, "node(s) had untolerated taint(s)");
    }
    const api::Taint taint = *cluster_.index().FindUntolerated(Of(state).program, node.slot);
    std::string reason = "node(s) had untolerated taint {";
    reason.append(taint.key).append(": ").append(taint.value).append("}");
    return Verdict::Of(Code::UnschedulableAndUnresolvable, std::move(reason));
  }

  std::optional<std::uint32_t> RefusalGroup(const PluginState* /*state*/,
                                            const NodeView& node) const override {
    return cluster_.index().taint_set(node.slot);
  }

  Verdict Filter(const PluginState* state, Bitmap& nodes) const override {
    nodes.And(cluster_.index().Filter(Of(state).program));
    return {};
  }

  PreScoreOutcome PreScore(const PodClass& pod, const PluginState* /*filter_state*/,
                           const Bitmap& /*feasible*/) override {
    return {.verdict = {}, .state = MakeState(pod)};
  }

  std::int64_t ScoreOf(const PluginState* state, const NodeView& node) const override {
    return cluster_.index().CountIntolerablePreferred(Of(state).program, node.slot);
  }

  void Score(const PluginState* state, const Bitmap& nodes,
             std::span<std::int64_t> scores) const override {
    std::vector<std::int64_t> counts(cluster_.slot_limit());
    cluster_.index().CountIntolerablePreferred(Of(state).program, counts);
    nodes.ForEach([&](std::size_t slot) { scores[slot] = counts[slot]; });
  }

 private:
  std::shared_ptr<PluginState> MakeState(const PodClass& pod) {
    return std::make_shared<TolerationState>(
        cluster_.index().Compile(pod.view->node_constraints, match::ProgramParts::Tolerations));
  }

  static bool Tolerates(const PodClass& pod, const api::Object& node, const match::Rules& rules) {
    return match::FindUntolerated(node.As<api::Node>()->spec.taints,
                                  pod.view->node_constraints.tolerations, rules) == nullptr;
  }

  bool names_taints_;
};

}  // namespace

std::unique_ptr<Plugin> MakeTaintToleration(ClusterState& cluster, const PluginArgs& args) {
  return CreatePlugin<TaintToleration>(cluster, args.names_taints);
}

}  // namespace plimsoll::scheduler
