#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "cli/leadership.h"
#include "cli/lease_flags.h"
#include "cli/pages_auth.h"
#include "cli/server_kind.h"
#include "controller/registry.h"

namespace plimsoll::cli {

/// Which controllers run, and how. Durations as Go writes them.
struct ControllerFlags {
  std::string controllers = "*";
  std::string node_monitor_period = "5s";
  std::string node_monitor_grace_period = "50s";
  std::string node_startup_grace_period = "60s";
};

/// Invalid: a duration that is none.
Result<controller::ControllerSettings> SettingsOf(const ControllerFlags& flags);

struct ControllerManagerOptions {
  std::string kubeconfig;
  ControllerFlags controllers;
  std::string feature_gates;
  bool leader_elect = true;
  LeaderTimes leader_times;
  LeaseFlags lease;
  std::string server = std::string(kServerAuto);
  bool is_dry_run = false;
  bool acts = false;  // where the server is not ours, too
  PagesFlags pages{.port = 10257};
};

/// Runs controllers until SIGINT or SIGTERM, or until it no longer leads.
int RunControllerManager(const ControllerManagerOptions& options, Context& context);

}  // namespace plimsoll::cli
