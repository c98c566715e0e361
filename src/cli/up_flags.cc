#include "cli/up_flags.h"

#include <CLI/CLI.hpp>

#include "cli/kubelet_flags.h"
#include "cli/server_flags.h"

namespace plimsoll::cli {

void AddUpFlags(CLI::App& command, UpOptions& options) {
  command.add_flag("--demo,!--no-demo", options.is_demo,
                   "Bring nodes of different risk, 20 unless --nodes says so, and two workloads");
  AddNodeFlags(command, options.kubelet);
  command
      .add_option("--manifests", options.manifests,
                  "Objects to create at the start, where they are missing")
      ->allow_extra_args(false)
      ->type_name("FILE|DIR");
  command
      .add_option("--time-scale", options.time_scale,
                  "How many seconds pass for the cluster in one of yours, from 1 to 1000")
      ->check(CLI::Range(1, 1000));
  AddServingFlags(command, options.apiserver);
  AddSchedulingFlags(command, "--scheduler-config", options.scheduler);
  AddControllerFlags(command, options.controllers);
}

}  // namespace plimsoll::cli
