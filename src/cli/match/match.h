#pragma once

#include <string>

#include "cli/context.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct MatchOptions {
  std::string pod;               // file with one pod or workload, or `-`
  std::string nodes;             // files with nodes; empty: those of the server
  std::string kubeconfig;        // of that server
  std::string node;              // show details of this node
  std::string output = "table";  // table, wide, json or yaml
  std::string feature_gates;
};

void AddMatchFlags(CLI::App& command, MatchOptions& options);

/// Prints for every node if it accepts the pod, or why not. Returns kExitFindings if none does.
int RunMatch(const MatchOptions& options, Context& context);

}  // namespace plimsoll::cli
