#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "scheduler/framework/framework.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/plugins/args.h"

namespace plimsoll::scheduler {

/// Null when there is no plugin of that name.
std::unique_ptr<Plugin> MakePlugin(std::string_view name, ClusterState& cluster,
                                   const PluginArgs& args);

struct DefaultPlugin {
  std::string_view name;
  std::int64_t weight;  // 0: does not score
};
/// Upstream's default profile, in its order.
std::vector<DefaultPlugin> DefaultPlugins();

/// All of them, each at every point that it has.
std::vector<EnabledPlugin> MakeDefaultProfile(ClusterState& cluster, const PluginArgs& args);

}  // namespace plimsoll::scheduler
