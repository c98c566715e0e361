#pragma once

#include <string>
#include <vector>

#include "cli/context.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct ExplainOptions {
  std::string name;                // name of the pod; optional if the files contain only one
  std::string namespace_;          // empty: that of the kubeconfig's context, or default
  std::vector<std::string> files;  // the pod, and cluster objects if no server is used
  std::vector<std::string> nodes;  // files with nodes, as in `plimsoll match`
  std::string node;                // show all details of this node
  bool all_nodes = false;          // show all details of every node
  std::string output = "text";     // text or json
  std::string kubeconfig;
  std::string config_path;  // scheduler configuration
  std::string feature_gates;
};

void AddExplainPodFlags(CLI::App& command, ExplainOptions& options);

/// Explains which nodes fit a pod and why others do not, using the scheduler's code. Changes
/// nothing. Returns kExitFindings if no node fits, or if something failed. For a bound pod: if its
/// node is gone or would not accept it again. Returns kExitUsage for a wrong call.
int RunExplainPod(const ExplainOptions& options, Context& context);

}  // namespace plimsoll::cli
