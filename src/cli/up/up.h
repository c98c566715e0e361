#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/apiserver/apiserver.h"
#include "cli/components/controller_manager.h"
#include "cli/components/kubelet.h"
#include "cli/components/scheduler.h"
#include "cli/context.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct UpOptions {
  ApiserverOptions apiserver = {.is_tour = true};
  SchedulerOptions scheduler;  // only the configuration and taint details are used
  ControllerFlags controllers;
  KubeletOptions kubelet = {.nodes = 0, .adopts = true};  // only the node settings are used
  bool is_demo = false;                                   // adds example nodes and workloads
  std::int64_t time_scale = 1;         // seconds of cluster time per second of real time
  std::vector<std::string> manifests;  // objects to create at start if they are missing
};

void AddUpFlags(CLI::App& command, UpOptions& options);

/// Runs the whole control plane in one process until SIGINT or SIGTERM.
int RunUp(const UpOptions& options, Context& context);

}  // namespace plimsoll::cli
