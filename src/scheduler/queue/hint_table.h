#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "scheduler/framework/cluster_event.h"
#include "scheduler/framework/framework.h"
#include "scheduler/metrics.h"

namespace plimsoll::scheduler {

/// Some of a profile's plugins, a bit each, by their place in the profile.
using PluginSet = std::uint64_t;
inline constexpr std::size_t kPluginsMax = 64;

/// Which plugins of a profile want to be asked about which event, and what they say.
class HintTable {
 public:
  /// The framework must outlive it, and have at most kPluginsMax plugins. The metrics are told how
  /// long each answer took, if the framework has a stopwatch.
  HintTable(const Framework& framework, SchedulerMetrics& metrics);

  PluginSet Interested(const ClusterEvent& event) const;
  /// What of a resource any of `plugins` wants to hear of.
  EventActions Awaited(PluginSet plugins, EventResource resource) const;
  /// Whether any of `plugins` now sees a chance for the pod.
  bool Ask(PluginSet plugins, const PodRecord& pod, const ClusterEvent& event) const;
  /// The plugins of these names.
  PluginSet Named(const std::vector<std::string_view>& names) const;

  /// The plugin that does not let the pod be tried, or -1.
  int Gate(const api::Object& pod) const;

 private:
  bool AskOne(std::size_t plugin, const PodRecord& pod, const ClusterEvent& event) const;

  struct Entry {
    EventActions actions = 0;
    PluginSet plugin = 0;
  };
  static constexpr std::size_t kResources = static_cast<std::size_t>(EventResource::Any) + 1;

  const Framework& framework_;
  SchedulerMetrics& metrics_;
  std::array<std::vector<Entry>, kResources> entries_;
};

}  // namespace plimsoll::scheduler
