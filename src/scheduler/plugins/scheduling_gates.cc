#include <string>

#include "scheduler/plugins/factories.h"

namespace plimsoll::scheduler {
namespace {

/// Holds back pods that have scheduling gates.
class SchedulingGates final : public Plugin,
                              public PreEnqueuePlugin,
                              public ClassEnqueueExtensions {
 public:
  explicit SchedulingGates(ClusterState& cluster) : Plugin(cluster) {}

  std::string_view name() const override { return "SchedulingGates"; }

  Verdict PreEnqueue(const api::Object& pod) const override {
    const std::vector<std::string_view>& gates = pod.As<api::Pod>()->spec.scheduling_gates;
    if (gates.empty()) return {};
    std::string names;
    for (const std::string_view gate : gates) {
      if (!names.empty()) names += ' ';
      names += gate;
    }
    return Verdict::Of(Code::UnschedulableAndUnresolvable,
                       "waiting for scheduling gates: [" + names + "]");
  }

  std::vector<EventInterest> Interests() const override {
    return {{EventResource::TargetPod, kUpdatePodGatesEliminated}};
  }
};

}  // namespace

std::unique_ptr<Plugin> MakeSchedulingGates(ClusterState& cluster, const PluginArgs& /*args*/) {
  return CreatePlugin<SchedulingGates>(cluster);
}

}  // namespace plimsoll::scheduler
