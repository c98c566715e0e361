#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "scheduler/framework/cluster_event.h"
#include "scheduler/framework/framework.h"
#include "scheduler/limits.h"
#include "scheduler/metrics.h"

namespace plimsoll::scheduler {

/// Set of a profile's plugins: one bit each, by index in the profile.
using PluginSet = std::uint64_t;

/// Queueing hints of a profile: the plugins interested in each event, and their answers.
class HintTable {
 public:
  /// REQUIRES: `framework` outlives the table and has at most kProfilePluginsMax plugins. Reports
  /// the duration of each hint to `metrics` if the framework has a stopwatch.
  HintTable(const Framework& framework, SchedulerMetrics& metrics);

  PluginSet Interested(const ClusterEvent& event) const;
  /// Returns the actions on a resource that any of `plugins` is interested in.
  EventActions Awaited(PluginSet plugins, EventResource resource) const;
  /// Returns the plugins whose hints may differ between pods of one class.
  PluginSet individual() const { return individual_; }
  /// Returns true if any of `plugins` returns Hint::Queue for the pod.
  bool AnyQueues(PluginSet plugins, const PodRecord& pod, const ClusterEvent& event) const;
  /// Returns the set of plugins with these names.
  PluginSet Named(const std::vector<std::string_view>& names) const;

  /// Returns the plugin whose PreEnqueue blocks the pod, or -1.
  int Gate(const api::Object& pod) const;

 private:
  bool Queues(std::size_t plugin, const PodRecord& pod, const ClusterEvent& event) const;

  struct Entry {
    EventActions actions = 0;
    PluginSet plugin = 0;
  };
  static constexpr std::size_t kResources = static_cast<std::size_t>(EventResource::Any) + 1;

  const Framework& framework_;
  SchedulerMetrics& metrics_;
  std::vector<const EnqueueExtensions*> extensions_;  // by index in the profile; may be null
  PluginSet individual_ = 0;
  std::array<std::vector<Entry>, kResources> entries_;
};

}  // namespace plimsoll::scheduler
