#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "scheduler/framework/enabled_plugin.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/plugins/registry.h"

namespace plimsoll::scheduler {

/// Creates the default plugins, each enabled at all of its extension points.
inline std::vector<EnabledPlugin> MakeDefaultProfile(ClusterState& cluster,
                                                     const PluginArgs& args) {
  std::vector<EnabledPlugin> enabled;
  for (const DefaultPlugin& one : DefaultPlugins()) {
    std::unique_ptr<Plugin> plugin = MakePlugin(one.name, cluster, args);
    const ExtensionPoints points = PointsOf(*plugin);
    enabled.push_back({std::move(plugin), points, one.weight});
  }
  return enabled;
}

}  // namespace plimsoll::scheduler
