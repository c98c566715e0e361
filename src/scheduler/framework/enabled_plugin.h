#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "scheduler/framework/plugin.h"

namespace plimsoll::scheduler {

/// A plugin with its settings in a profile.
struct EnabledPlugin {
  std::unique_ptr<Plugin> plugin;
  ExtensionPoints points = 0;  // enabled subset of PointsOf(*plugin)
  std::int64_t weight = 1;     // weight of its score
  /// Rank at each extension point: plugins with a lower rank run first. Plugins of equal rank run
  /// in the order of the list.
  std::array<std::uint16_t, kExtensionPoints> ranks{};

  // The plugin's bases that every attempt needs, found once. Null: the plugin lacks the base.
  PreFilterPlugin* pre_filter = dynamic_cast<PreFilterPlugin*>(plugin.get());
  FilterPlugin* filter = dynamic_cast<FilterPlugin*>(plugin.get());
  PreScorePlugin* pre_score = dynamic_cast<PreScorePlugin*>(plugin.get());
  ScorePlugin* score = dynamic_cast<ScorePlugin*>(plugin.get());
  const ScoreExtensions* score_extensions = dynamic_cast<const ScoreExtensions*>(plugin.get());
  const NodeScopedPlugin* node_scoped = dynamic_cast<const NodeScopedPlugin*>(plugin.get());

  bool IsEnabledAt(ExtensionPoints any_of) const { return (points & any_of) != 0; }
  std::string_view name() const { return plugin->name(); }

  /// Returns the state for Filter. REQUIRES: the plugin filters or has PreFilter.
  PreFilterOutcome BeginFilter(const PodUnderTest& pod) const {
    return pre_filter != nullptr ? pre_filter->PreFilter(pod) : filter->BeginFilter(pod);
  }
  /// Returns the state for Score. REQUIRES: the plugin scores or has PreScore.
  PreScoreOutcome BeginScore(const PodClass& pod, const PluginState* filter_state,
                             const Bitmap& feasible) const {
    return pre_score != nullptr ? pre_score->PreScore(pod, filter_state, feasible)
                                : score->BeginScore(pod, filter_state);
  }
};

}  // namespace plimsoll::scheduler
