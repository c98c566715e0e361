#include "scheduler/plugins/registry.h"

#include <algorithm>
#include <utility>

#include "scheduler/plugins/factories.h"

namespace plimsoll::scheduler {
namespace {

struct Entry {
  std::string_view name;
  PluginFactory* make;
  std::int64_t weight;  // in the default profile; 0: no Score
};

// In the order of the default profile.
constexpr Entry kEntries[] = {
    {"SchedulingGates", MakeSchedulingGates, 0},
    {"PrioritySort", MakePrioritySort, 0},
    {"NodeName", MakeNodeName, 0},
    {"NodeUnschedulable", MakeNodeUnschedulable, 0},
    {"TaintToleration", MakeTaintToleration, 3},
    {"NodeAffinity", MakeNodeAffinity, 2},
    {"NodePorts", MakeNodePorts, 0},
    {"NodeResourcesFit", MakeNodeResourcesFit, 1},
    {"VolumeRestrictions", MakeVolumeRestrictions, 0},
    {"NodeVolumeLimits", MakeNodeVolumeLimits, 0},
    {"VolumeBinding", MakeVolumeBinding, 1},
    {"VolumeZone", MakeVolumeZone, 0},
    {"PodTopologySpread", MakePodTopologySpread, 2},
    {"InterPodAffinity", MakeInterPodAffinity, 2},
    {"DynamicResources", MakeDynamicResources, 2},
    {"DefaultPreemption", MakeDefaultPreemption, 0},
    {"NodeResourcesBalancedAllocation", MakeNodeResourcesBalancedAllocation, 1},
    {"ImageLocality", MakeImageLocality, 1},
    {"DefaultBinder", MakeDefaultBinder, 0},
    {"NodeDeclaredFeatures", MakeNodeDeclaredFeatures, 0},
};

}  // namespace

std::unique_ptr<Plugin> MakePlugin(std::string_view name, ClusterState& cluster,
                                   const PluginArgs& args) {
  const auto* const entry = std::ranges::find(kEntries, name, &Entry::name);
  return entry == std::end(kEntries) ? nullptr : entry->make(cluster, args);
}

std::vector<DefaultPlugin> DefaultPlugins() {
  std::vector<DefaultPlugin> plugins;
  for (const Entry& entry : kEntries) plugins.push_back({entry.name, entry.weight});
  return plugins;
}

}  // namespace plimsoll::scheduler
