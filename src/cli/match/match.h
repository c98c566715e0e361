#pragma once

#include <string>

#include "cli/context.h"
#include "cli/flags/output_flag.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct MatchOptions {
  std::string pod;           // file with one pod or workload, or `-`
  std::string nodes;         // files with nodes; empty: those of the server
  std::string kubeconfig;    // of that server
  std::string kube_context;  // context in it; empty: the current one
  std::string node;          // show details of this node
  OutputFormat output = OutputFormat::Text;
  std::string feature_gates;
};

void AddMatchFlags(CLI::App& command, MatchOptions& options);

/// Prints for every node if it accepts the pod, or why not. Returns kExitFindings if none does.
int RunMatch(const MatchOptions& options, Context& context);

}  // namespace plimsoll::cli
