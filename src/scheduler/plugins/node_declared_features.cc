#include "api/core/node_features.h"
#include "scheduler/plugins/factories.h"

namespace plimsoll::scheduler {
namespace {

struct FeatureState final : PluginState {
  explicit FeatureState(api::NodeFeatures needed) : required(needed) {}

  api::NodeFeatures required;
};

/// Refuses nodes that do not declare the features that the pod needs.
class NodeDeclaredFeatures final : public Plugin,
                                   public ClassEnqueueExtensions,
                                   public ClassPreFilterPlugin,
                                   public FilterPlugin,
                                   public NodeScopedPlugin {
 public:
  explicit NodeDeclaredFeatures(ClusterState& cluster) : Plugin(cluster) {}

  std::string_view name() const override { return "NodeDeclaredFeatures"; }

  /// A pod's needs cannot change, so events of the pod itself are not needed.
  std::vector<EventInterest> Interests() const override {
    return {{EventResource::Node, kAdd | kUpdateNodeDeclaredFeature}};
  }

  Changes depends_on() const override { return kFeatures; }

  PreFilterOutcome PreFilterClass(const PodClass& pod) override {
    const api::NodeFeatures required = pod.view->required_features;
    if (required == 0) return {.verdict = Verdict::Skip(), .state = nullptr, .nodes = {}};
    return {.verdict = {}, .state = std::make_shared<FeatureState>(required), .nodes = {}};
  }

  bool Accepts(const PluginState* state, const NodeView& node) const override {
    return (static_cast<const FeatureState&>(*state).required & ~node.row.declared_features) == 0;
  }

  Verdict Judge(const PluginState* state, const NodeView& node) const override {
    if (Accepts(state, node)) return {};
    return Verdict::Of(Code::UnschedulableAndUnresolvable,
                       "node(s) didn't match Pod's required features");
  }

  Verdict Filter(const PluginState* state, Bitmap& nodes) const override {
    FilterNodes(cluster_, nodes, [&](const NodeView& node) { return Accepts(state, node); });
    return {};
  }
};

}  // namespace

std::unique_ptr<Plugin> MakeNodeDeclaredFeatures(ClusterState& cluster,
                                                 const PluginArgs& /*args*/) {
  return CreatePlugin<NodeDeclaredFeatures>(cluster);
}

}  // namespace plimsoll::scheduler
