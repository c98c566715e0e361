#include <algorithm>
#include <tuple>
#include <utility>

#include "scheduler/plugins/factories.h"

namespace plimsoll::scheduler {
namespace {

constexpr std::string_view kAnyAddress = "0.0.0.0";

/// Host ports that a pod wants, sorted for fast comparison.
class WantedPorts {
 public:
  explicit WantedPorts(const std::vector<HostPort>& ports) {
    for (const HostPort& one : ports) keys_.push_back(KeyOf(one));
    std::ranges::sort(keys_);
  }

  /// Returns true if another pod's ports conflict. 0.0.0.0 conflicts with every address.
  bool ClashWith(const std::vector<HostPort>& used) const {
    return std::ranges::any_of(used, [&](const HostPort& one) { return ClashesWith(one); });
  }

 private:
  using Key = std::tuple<std::int32_t, std::string_view, std::string_view>;

  static Key KeyOf(const HostPort& one) { return {one.port, one.protocol, one.ip}; }

  bool ClashesWith(const HostPort& one) const {
    const auto first =
        std::ranges::lower_bound(keys_, Key(one.port, one.protocol, std::string_view()));
    if (first == keys_.end() || std::get<0>(*first) != one.port ||
        std::get<1>(*first) != one.protocol) {
      return false;
    }
    return one.ip == kAnyAddress || std::ranges::binary_search(keys_, KeyOf(one)) ||
           std::ranges::binary_search(keys_, Key(one.port, one.protocol, kAnyAddress));
  }

  std::vector<Key> keys_;  // sorted
};

struct PortsState final : PluginState {
  PortsState(const std::vector<HostPort>& ports, std::shared_ptr<const ClassView> pod)
      : wanted(ports), view(std::move(pod)) {}

  WantedPorts wanted;
  std::shared_ptr<const ClassView> view;  // owns the texts
};

/// Refuses nodes on which another pod uses a host port that the pod wants.
class NodePorts final : public Plugin,
                        public ClassEnqueueExtensions,
                        public ClassPreFilterPlugin,
                        public FilterPlugin,
                        public NodeScopedPlugin {
 public:
  explicit NodePorts(ClusterState& cluster) : Plugin(cluster) {}

  std::string_view name() const override { return "NodePorts"; }

  std::vector<EventInterest> Interests() const override {
    return {{EventResource::AssignedPod, kDelete}, {EventResource::Node, kAdd}};
  }

  Hint HintForClass(const PodClass& pod, const ClusterEvent& event) const override {
    if (event.resource == EventResource::Node) return Hint::Queue;
    const std::shared_ptr<const PodClass> gone = cluster_.ClassOf(event.old_object);
    const WantedPorts wanted(pod.host_ports);
    return wanted.ClashWith(gone->host_ports) ? Hint::Queue : Hint::Skip;
  }

  Changes depends_on() const override { return kPods; }

  PreFilterOutcome PreFilterClass(const PodClass& pod) override {
    if (pod.host_ports.empty()) {
      return {.verdict = Verdict::Skip(), .state = nullptr, .nodes = {}};
    }
    return {.verdict = {},
            .state = std::make_shared<PortsState>(pod.host_ports, pod.view),
            .nodes = {}};
  }

  bool Accepts(const PluginState* state, const NodeView& node) const override {
    return !static_cast<const PortsState&>(*state).wanted.ClashWith(node.row.ports);
  }

  Verdict Judge(const PluginState* state, const NodeView& node) const override {
    if (Accepts(state, node)) return {};
    return Verdict::Of(Code::Unschedulable,
                       "node(s) didn't have free ports for the requested pod ports");
  }

  Verdict Filter(const PluginState* state, Bitmap& nodes) const override {
    FilterNodes(cluster_, nodes, [&](const NodeView& node) { return Accepts(state, node); });
    return {};
  }
};

}  // namespace

std::unique_ptr<Plugin> MakeNodePorts(ClusterState& cluster, const PluginArgs& /*args*/) {
  return CreatePlugin<NodePorts>(cluster);
}

}  // namespace plimsoll::scheduler
