#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "scheduler/plugins/args.h"
#include "scheduler/scheduler.h"

namespace plimsoll::runner {

/// A plugin that a profile enables or disables, at one extension point or at all (multiPoint).
struct PluginChange {
  std::string name;         // `*` disables all
  std::int64_t weight = 0;  // 0: the plugin's default
};

struct PluginSet {
  std::vector<PluginChange> enabled;
  std::vector<PluginChange> disabled;
};

struct ProfileConfig {
  std::string name = "default-scheduler";
  std::optional<std::int32_t> percentage_of_nodes_to_score;
  PluginSet multi_point;
  /// By extension point, named by ToText(ExtensionPoint) in lower camel case.
  std::vector<std::pair<scheduler::ExtensionPoint, PluginSet>> points;
  scheduler::PluginArgs args;
};

struct LeaderElectionConfig {
  bool leader_elect = true;
  Duration lease_duration = std::chrono::seconds(15);
  Duration renew_deadline = std::chrono::seconds(10);
  Duration retry_period = std::chrono::seconds(2);
  std::string resource_name = "kube-scheduler";
  std::string resource_namespace = "kube-system";
};

/// `KubeSchedulerConfiguration` of kubescheduler.config.k8s.io/v1.
struct SchedulerConfig {
  std::vector<ProfileConfig> profiles = {ProfileConfig{}};
  std::int32_t percentage_of_nodes_to_score = 100;
  std::int64_t backoff_initial_seconds = 1;
  std::int64_t backoff_max_seconds = 10;
  LeaderElectionConfig leader_election;
  std::string kubeconfig;
};

/// Parses YAML or JSON. BadRequest or Invalid: names the field
/// (`profiles[0].pluginConfig[1].args.hardPodAffinityWeight`). Unknown fields and unknown plugins
/// are faults.
Result<SchedulerConfig> ParseSchedulerConfig(std::string_view text);

/// Returns the profiles for the scheduler. See --taint-details for `names_taints`.
std::vector<scheduler::ProfileOptions> MakeProfiles(const SchedulerConfig& config,
                                                    bool names_taints);

}  // namespace plimsoll::runner
