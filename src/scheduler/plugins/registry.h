#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "scheduler/framework/framework.h"
#include "scheduler/framework/plugin.h"
#include "scheduler/plugins/args.h"

namespace plimsoll::scheduler {

/// Returns null if there is no plugin of that name.
std::unique_ptr<Plugin> MakePlugin(std::string_view name, ClusterState& cluster,
                                   const PluginArgs& args);

struct DefaultPlugin {
  std::string_view name;
  std::int64_t weight;  // 0: no Score
};
/// Returns upstream's default profile, in order.
std::vector<DefaultPlugin> DefaultPlugins();

}  // namespace plimsoll::scheduler
