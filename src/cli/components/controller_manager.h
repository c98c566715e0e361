#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "cli/flags/leader_election_flags.h"
#include "controller/registry.h"
#include "service/secure_serving.h"
#include "service/server_kind.h"

namespace plimsoll::cli {

/// Selection and settings of controllers. Durations in Go's format.
struct ControllerFlags {
  std::string controllers = "*";
  std::string node_monitor_period = "5s";
  std::string node_monitor_grace_period = "50s";
  std::string node_startup_grace_period = "60s";
};

/// Returns Invalid for a malformed duration.
Result<controller::ControllerSettings> SettingsOf(const ControllerFlags& flags);

struct ControllerManagerOptions {
  std::string kubeconfig;
  ControllerFlags controllers;
  std::string feature_gates;
  bool leader_elect = true;
  LeaderElectionFlags leader_election;
  std::string server = std::string(service::kServerAuto);
  bool is_dry_run = false;
  bool acts = false;  // act even if the server is not plimsoll
  service::SecureServingOptions serving{.port = 10257};
};

/// Runs controllers until SIGINT or SIGTERM, or until leadership is lost.
int RunControllerManager(const ControllerManagerOptions& options, Context& context);

}  // namespace plimsoll::cli
