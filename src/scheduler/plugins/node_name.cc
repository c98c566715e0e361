#include <string>

#include "scheduler/plugins/factories.h"

namespace plimsoll::scheduler {
namespace {

struct NameState final : PluginState {
  explicit NameState(std::string_view name) : wanted(name) {}

  std::string wanted;
};

const std::string& Wanted(const PluginState* state) {
  return static_cast<const NameState&>(*state).wanted;
}

/// Accepts only the node in spec.nodeName. Pods with a nodeName are not pending, so this matters
/// only for explanations. All pods of a class may share the state, because cached results never
/// involve such a pod.
class NodeName final : public Plugin {
 public:
  explicit NodeName(ClusterState& cluster) : Plugin(cluster) {}

  std::string_view name() const override { return "NodeName"; }
  ExtensionPoints points() const override { return kFilter; }

  std::vector<EventInterest> Interests() const override { return {{EventResource::Node, kAdd}}; }

  Hint HintFor(const PodRecord& pod, const ClusterEvent& event) const override {
    const std::string_view wanted = pod.pod->spec.node_name;
    return wanted.empty() || wanted == event.new_object->metadata().name ? Hint::Queue : Hint::Skip;
  }

  Scope filter_scope() const override { return Scope::Node; }
  Changes depends_on() const override { return kNodeAdded; }

  PreFilterOutcome PreFilter(const PodUnderTest& pod) override {
    return {
        .verdict = {}, .state = std::make_shared<NameState>(pod.pod.spec.node_name), .nodes = {}};
  }

  bool Accepts(const PluginState* state, const NodeView& node) const override {
    const std::string& wanted = Wanted(state);
    return wanted.empty() || wanted == cluster_.node_name(node.slot);
  }

  Verdict Judge(const PluginState* state, const NodeView& node) const override {
    if (Accepts(state, node)) return {};
    return Verdict::Of(Code::UnschedulableAndUnresolvable,
                       "node(s) didn't match the requested node name");
  }

  void Filter(const PluginState* state, Bitmap& nodes) const override {
    if (Wanted(state).empty()) return;
    const std::optional<NodeSlot> slot = cluster_.FindNode(Wanted(state));
    const bool is_there = slot && nodes.Test(*slot);
    nodes.Fill(false);
    if (is_there) nodes.Set(*slot);
  }
};

}  // namespace

std::unique_ptr<Plugin> MakeNodeName(ClusterState& cluster, const PluginArgs& /*args*/) {
  return std::make_unique<NodeName>(cluster);
}

}  // namespace plimsoll::scheduler
