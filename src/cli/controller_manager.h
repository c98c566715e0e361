#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"
#include "cli/context.h"

namespace plimsoll::cli {

struct ControllerManagerOptions {
  std::string kubeconfig;
  std::string controllers = "*";
  std::string feature_gates;
  bool leader_elect = true;
  std::string address = "127.0.0.1";
  std::uint16_t port = 10257;  // 0: no health and metrics
};

/// Runs controllers until SIGINT or SIGTERM, or until it no longer leads.
int RunControllerManager(const ControllerManagerOptions& options, Context& context);

}  // namespace plimsoll::cli
