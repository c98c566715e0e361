#pragma once

#include <memory>

#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/plugins/args.h"

/// Factories of all plugins. Each is defined in the plugin's own file.
namespace plimsoll::scheduler {

using PluginFactory = std::unique_ptr<Plugin>(ClusterState& cluster, const PluginArgs& args);

PluginFactory MakeSchedulingGates;
PluginFactory MakePrioritySort;
PluginFactory MakeNodeName;
PluginFactory MakeNodeUnschedulable;
PluginFactory MakeTaintToleration;
PluginFactory MakeNodeAffinity;
PluginFactory MakeNodePorts;
PluginFactory MakeNodeResourcesFit;
PluginFactory MakeVolumeRestrictions;
PluginFactory MakeNodeVolumeLimits;
PluginFactory MakeVolumeBinding;
PluginFactory MakeVolumeZone;
PluginFactory MakePodTopologySpread;
PluginFactory MakeInterPodAffinity;
PluginFactory MakeDynamicResources;
PluginFactory MakeDefaultPreemption;
PluginFactory MakeNodeResourcesBalancedAllocation;
PluginFactory MakeImageLocality;
PluginFactory MakeDefaultBinder;
PluginFactory MakeNodeDeclaredFeatures;

}  // namespace plimsoll::scheduler
