#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/apiserver.h"
#include "cli/context.h"
#include "cli/controller_manager.h"
#include "cli/kubelet.h"
#include "cli/scheduler.h"

namespace plimsoll::cli {

struct UpOptions {
  ApiserverOptions apiserver = {.is_tour = true};
  SchedulerOptions scheduler;  // of which the configuration and the taint details count
  ControllerFlags controllers;
  KubeletOptions kubelet = {.nodes = 0, .adopts = true};  // of which what makes nodes counts
  bool is_demo = false;                                   // nodes and workloads to look at
  std::int64_t time_scale = 1;         // seconds of the cluster in one of the machine's
  std::vector<std::string> manifests;  // what is created at the start if it is missing
};

/// The whole control plane in one process, until SIGINT or SIGTERM.
int RunUp(const UpOptions& options, Context& context);

}  // namespace plimsoll::cli
