#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "cli/flags/leader_election_flags.h"
#include "runner/components.h"
#include "runner/scheduler_config.h"
#include "service/secure_serving.h"
#include "service/server_kind.h"

namespace plimsoll::cli {

struct SchedulerOptions {
  std::string config_path;
  std::string kubeconfig;  // overrides the one in the configuration
  std::string feature_gates;
  std::string taint_details = "shown";  // shown or hidden
  std::string scheduler_name;           // of the only profile; empty: from the configuration
  std::optional<bool> leader_elect;     // unset: from the configuration
  LeaderElectionFlags leader_election;
  std::string server = std::string(service::kServerAuto);
  service::SecureServingOptions serving{.port = 10259};
};

/// Reads the file at `path`; returns the defaults if `path` is empty.
Result<runner::SchedulerConfig> LoadSchedulerConfig(const std::string& path);

/// Returns the runner's options for this configuration.
Result<runner::SchedulerRunnerOptions> RunnerOptionsOf(const runner::SchedulerConfig& config,
                                                       const SchedulerOptions& options);

/// Schedules pods until SIGINT or SIGTERM, or until leadership is lost.
int RunScheduler(const SchedulerOptions& options, Context& context);

}  // namespace plimsoll::cli
