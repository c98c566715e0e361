#pragma once

#include <cstdint>
#include <string>

#include "cli/context.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct DemoOptions {
  std::string kubeconfig;      // of a cluster that runs `up --demo`; empty: a cluster of its own
  std::string data_directory;  // of its own cluster, which stays; empty: a temporary one
  std::int64_t speed = 5;      // time scale of its own cluster
  bool has_pauses = true;      // time to read each step
  std::string log_file = {};   // --log-file of the program
};

void AddDemoFlags(CLI::App& command, DemoOptions& options);

/// Plays the story of a node whose risk rises above the line of the pods on it. Returns kExitOk
/// only if all of it has happened. A cluster of its own is stopped at the end, also after SIGINT,
/// and its temporary data is deleted.
int RunDemo(const DemoOptions& options, Context& context);

}  // namespace plimsoll::cli
