#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "cli/context.h"
#include "cli/leadership.h"
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
  std::string address = "127.0.0.1";
  std::uint16_t port = 10257;  // 0: no health and metrics
};

/// Runs controllers until SIGINT or SIGTERM, or until it no longer leads.
int RunControllerManager(const ControllerManagerOptions& options, Context& context);

}  // namespace plimsoll::cli
