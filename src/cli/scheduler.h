#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "cli/leadership.h"
#include "runner/scheduler_config.h"
#include "runner/scheduler_runner.h"

namespace plimsoll::cli {

struct SchedulerOptions {
  std::string config_path;
  std::string kubeconfig;  // wins over the one in the configuration
  std::string feature_gates;
  std::string taint_details = "shown";  // or hidden
  std::optional<bool> leader_elect;     // likewise
  LeaderTimes leader_times;
  std::string address = "127.0.0.1";
  std::uint16_t port = 10259;  // 0: no health and metrics
};

/// The file at `path`, or the defaults when there is none.
Result<runner::SchedulerConfig> LoadSchedulerConfig(const std::string& path);

/// What a scheduler with this configuration needs to run.
Result<runner::SchedulerRunnerOptions> RunnerOptionsOf(const runner::SchedulerConfig& config,
                                                       const SchedulerOptions& options);

/// Places pods until SIGINT or SIGTERM, or until it no longer leads.
int RunScheduler(const SchedulerOptions& options, Context& context);

}  // namespace plimsoll::cli
