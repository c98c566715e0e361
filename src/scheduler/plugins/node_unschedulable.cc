#include "match/toleration.h"
#include "scheduler/plugins/factories.h"

namespace plimsoll::scheduler {
namespace {

constexpr api::Taint kUnschedulableTaint{.key = "node.kubernetes.io/unschedulable",
                                         .value = {},
                                         .effect = "NoSchedule",
                                         .time_added = {}};

struct UnschedulableState final : PluginState {
  explicit UnschedulableState(bool tolerates) : is_tolerated(tolerates) {}

  bool is_tolerated;
};

bool IsTolerated(const PluginState* state) {
  return static_cast<const UnschedulableState&>(*state).is_tolerated;
}

/// Refuses nodes with spec.unschedulable, unless the pod tolerates the taint
/// node.kubernetes.io/unschedulable.
class NodeUnschedulable final : public Plugin,
                                public ClassEnqueueExtensions,
                                public ClassFilterPlugin,
                                public NodeScopedPlugin {
 public:
  explicit NodeUnschedulable(ClusterState& cluster)
      : Plugin(cluster), taint_(cluster.index().PinTaint(kUnschedulableTaint)) {}
  ~NodeUnschedulable() override { cluster_.index().UnpinTaint(taint_); }

  std::string_view name() const override { return "NodeUnschedulable"; }

  std::vector<EventInterest> Interests() const override {
    return {{EventResource::Node, kAdd | kUpdateNodeTaint},
            {EventResource::TargetPod, kUpdatePodToleration}};
  }

  Hint HintForClass(const PodClass& /*pod*/, const ClusterEvent& event) const override {
    const bool helps = event.resource == EventResource::Node
                           ? !event.new_object->As<api::Node>()->spec.unschedulable
                           : MayTolerate(event.new_object->As<api::Pod>()->spec);
    return helps ? Hint::Queue : Hint::Skip;
  }

  Changes depends_on() const override { return kUnschedulable; }

  PreFilterOutcome BeginFilterClass(const PodClass& pod) override {
    const bool is_tolerated = Tolerates(pod.view->node_constraints);
    return {
        .verdict = {}, .state = std::make_shared<UnschedulableState>(is_tolerated), .nodes = {}};
  }

  bool Accepts(const PluginState* state, const NodeView& node) const override {
    return !node.row.unschedulable || IsTolerated(state);
  }

  Verdict Judge(const PluginState* state, const NodeView& node) const override {
    if (Accepts(state, node)) return {};
    return Verdict::Of(Code::UnschedulableAndUnresolvable, "node(s) were unschedulable");
  }

  Verdict Filter(const PluginState* state, Bitmap& nodes) const override {
    if (!IsTolerated(state)) nodes.AndNot(cluster_.unschedulable_nodes());
    return {};
  }

 private:
  bool Tolerates(const match::NodeConstraints& pod) const {
    if (api::HasExpressions(pod.tolerations)) {
      // The index has already evaluated the expressions.
      return cluster_.index().Covers(
          cluster_.index().Compile(pod, match::ProgramParts::Tolerations), taint_);
    }
    return match::FindToleration(pod.tolerations, kUnschedulableTaint, cluster_.rules()) != nullptr;
  }
  /// Does not evaluate expressions: only a scheduling attempt has a budget for that.
  bool MayTolerate(const match::NodeConstraints& pod) const {
    return api::HasExpressions(pod.tolerations) || Tolerates(pod);
  }

  match::TaintId taint_;
};

}  // namespace

std::unique_ptr<Plugin> MakeNodeUnschedulable(ClusterState& cluster, const PluginArgs& /*args*/) {
  return CreatePlugin<NodeUnschedulable>(cluster);
}

}  // namespace plimsoll::scheduler
