#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/apiserver/apiserver.h"
#include "cli/components/controller_manager.h"
#include "cli/components/kubelet.h"
#include "cli/components/scheduler.h"
#include "cli/context.h"
#include "cli/flags/output_flag.h"

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
  std::int64_t time_scale = 1;               // seconds of cluster time per second of real time
  std::vector<std::string> manifests;        // objects to create at start if they are missing
  bool is_detached = false;                  // run in the background
  bool merges_kubeconfig = false;            // add the cluster to the user's kubeconfig
  OutputFormat output = OutputFormat::Text;  // of the screen; others only if detached
  std::string log_file = {};                 // --log-file of the program
  std::vector<std::string> arguments = {};   // of the program, for the process in the background
};

void AddUpFlags(CLI::App& command, UpOptions& options);

/// Returns the options with those of the demo, if it is wanted.
UpOptions WithDemo(UpOptions options);

/// Runs the whole control plane in one process until SIGINT or SIGTERM. Detached, it starts that
/// process in the background, and returns when everything is ready.
int RunUp(const UpOptions& options, Context& context);

}  // namespace plimsoll::cli
