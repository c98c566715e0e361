#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "cli/leadership.h"
#include "cli/lease_flags.h"
#include "cli/pages_auth.h"
#include "cli/server_kind.h"
#include "runner/scheduler_config.h"
#include "runner/scheduler_runner.h"

namespace plimsoll::cli {

struct SchedulerOptions {
  std::string config_path;
  std::string kubeconfig;  // wins over the one in the configuration
  std::string feature_gates;
  std::string taint_details = "shown";  // or hidden
  std::string scheduler_name;           // of the only profile; empty: as the configuration has it
  std::optional<bool> leader_elect;     // likewise
  LeaderTimes leader_times;
  LeaseFlags lease;  // likewise
  std::string server = std::string(kServerAuto);
  PagesFlags pages{.port = 10259};
};

/// The file at `path`, or the defaults when there is none.
Result<runner::SchedulerConfig> LoadSchedulerConfig(const std::string& path);

/// The configuration with what flags say instead. A scheduler of another name has another lease,
/// as it works beside the one that is called default-scheduler. Invalid: a name for several
/// profiles.
Result<runner::SchedulerConfig> WithFlags(runner::SchedulerConfig config,
                                          const SchedulerOptions& options);

/// What a scheduler with this configuration needs to run.
Result<runner::SchedulerRunnerOptions> RunnerOptionsOf(const runner::SchedulerConfig& config,
                                                       const SchedulerOptions& options);

/// Places pods until SIGINT or SIGTERM, or until it no longer leads.
int RunScheduler(const SchedulerOptions& options, Context& context);

}  // namespace plimsoll::cli
