#pragma once

#include <memory>

#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/plugins/args.h"

/// One line per plugin; each is defined in the plugin's own file.
namespace plimsoll::scheduler {

using PluginFactory = std::unique_ptr<Plugin>(ClusterState& cluster, const PluginArgs& args);

PluginFactory MakeSchedulingGates;
PluginFactory MakePrioritySort;
PluginFactory MakeDefaultBinder;

}  // namespace plimsoll::scheduler
