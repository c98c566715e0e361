#pragma once

#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/flags/output_flag.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct LinesOptions {
  std::string key;         // of taints; empty: all
  std::string namespace_;  // empty: that of the kubeconfig's context, or all of the files
  bool all_namespaces = false;
  std::vector<std::string> files;  // pods and nodes, instead of those of a server
  OutputFormat output = OutputFormat::Text;
  std::string kubeconfig;
  std::string kube_context;  // empty: the current one
  std::string feature_gates;
};

void AddLinesFlags(CLI::App& command, LinesOptions& options);

/// Prints the thresholds of workloads with their distance to the values of the nodes. Then prints
/// the values of each taint key, with the pods that the next step would move.
int RunLines(const LinesOptions& options, Context& context);

}  // namespace plimsoll::cli
