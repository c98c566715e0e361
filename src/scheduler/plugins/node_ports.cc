#include <algorithm>
#include <utility>

#include "scheduler/plugins/factories.h"

namespace plimsoll::scheduler {
namespace {

constexpr std::string_view kAnyAddress = "0.0.0.0";

bool Clash(const HostPort& a, const HostPort& b) {
  return a.port == b.port && a.protocol == b.protocol &&
         (a.ip == b.ip || a.ip == kAnyAddress || b.ip == kAnyAddress);
}

bool AnyClash(const std::vector<HostPort>& wanted, const std::vector<HostPort>& used) {
  return std::ranges::any_of(used, [&](const HostPort& one) {
    return std::ranges::any_of(wanted, [&](const HostPort& other) { return Clash(one, other); });
  });
}

struct PortsState final : PluginState {
  PortsState(std::vector<HostPort> ports, ObjectPtr pod)
      : wanted(std::move(ports)), exemplar(std::move(pod)) {}

  std::vector<HostPort> wanted;
  ObjectPtr exemplar;  // owns their texts
};

/// Keeps pods from nodes where another pod has the host port that they want.
class NodePorts final : public Plugin {
 public:
  explicit NodePorts(ClusterState& cluster) : Plugin(cluster) {}

  std::string_view name() const override { return "NodePorts"; }
  ExtensionPoints points() const override { return kPreFilter | kFilter; }

  std::vector<EventInterest> Interests() const override {
    return {{EventResource::AssignedPod, kDelete}, {EventResource::Node, kAdd}};
  }

  Hint HintFor(const PodRecord& pod, const ClusterEvent& event) const override {
    if (event.resource == EventResource::Node) return Hint::Queue;
    const std::shared_ptr<const PodClass> gone = cluster_.ClassOf(event.old_object);
    return AnyClash(pod.pod_class->host_ports, gone->host_ports) ? Hint::Queue : Hint::Skip;
  }

  Scope filter_scope() const override { return Scope::Node; }
  Changes depends_on() const override { return kPods; }

  PreFilterOutcome PreFilter(const PodUnderTest& pod) override {
    if (pod.pod_class.host_ports.empty()) {
      return {.verdict = Verdict::Skip(), .state = nullptr, .nodes = {}};
    }
    return {.verdict = {},
            .state = std::make_shared<PortsState>(pod.pod_class.host_ports, pod.pod_class.exemplar),
            .nodes = {}};
  }

  bool Accepts(const PluginState* state, const NodeView& node) const override {
    return !AnyClash(static_cast<const PortsState&>(*state).wanted, node.row.ports);
  }

  Verdict Judge(const PluginState* state, const NodeView& node) const override {
    if (Accepts(state, node)) return {};
    return Verdict::Of(Code::Unschedulable,
                       "node(s) didn't have free ports for the requested pod ports");
  }
};

}  // namespace

std::unique_ptr<Plugin> MakeNodePorts(ClusterState& cluster, const PluginArgs& /*args*/) {
  return std::make_unique<NodePorts>(cluster);
}

}  // namespace plimsoll::scheduler
