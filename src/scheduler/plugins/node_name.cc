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
/// only for explanations.
class NodeName final : public Plugin, public EnqueueExtensions, public FilterPlugin {
 public:
  explicit NodeName(ClusterState& cluster) : Plugin(cluster) {}

  std::string_view name() const override { return "NodeName"; }

  std::vector<EventInterest> Interests() const override { return {{EventResource::Node, kAdd}}; }

  Hint HintFor(const PodRecord& pod, const ClusterEvent& event) const override {
    const std::string_view wanted = pod.pod->spec.node_name;
    return wanted.empty() || wanted == event.new_object->metadata().name ? Hint::Queue : Hint::Skip;
  }

  PreFilterOutcome BeginFilter(const PodUnderTest& pod) override {
    const std::string_view wanted = pod.pod.spec.node_name;
    if (wanted.empty()) return {.verdict = Verdict::Skip(), .state = nullptr, .nodes = {}};
    return {.verdict = {}, .state = std::make_shared<NameState>(wanted), .nodes = {}};
  }

  bool Accepts(const PluginState* state, const NodeView& node) const override {
    return Wanted(state) == cluster_.node_name(node.slot);
  }

  Verdict Judge(const PluginState* state, const NodeView& node) const override {
    if (Accepts(state, node)) return {};
    return Verdict::Of(Code::UnschedulableAndUnresolvable,
                       "node(s) didn't match the requested node name");
  }

  Verdict Filter(const PluginState* state, Bitmap& nodes) const override {
    const std::optional<NodeSlot> slot = cluster_.FindNode(Wanted(state));
    const bool is_there = slot && nodes.Test(*slot);
    nodes.Fill(false);
    if (is_there) nodes.Set(*slot);
    return {};
  }
};

}  // namespace

std::unique_ptr<Plugin> MakeNodeName(ClusterState& cluster, const PluginArgs& /*args*/) {
  return CreatePlugin<NodeName>(cluster);
}

}  // namespace plimsoll::scheduler
