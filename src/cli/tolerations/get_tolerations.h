#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/context.h"
#include "cli/flags/output_flag.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct GetTolerationsOptions {
  std::vector<std::string> pods;  // names; empty: all
  std::string selector;           // of labels
  std::string namespace_;         // empty: that of the kubeconfig's context, or all of the files
  bool all_namespaces = false;
  std::vector<std::string> files;  // pods and nodes, instead of those of a server
  OutputFormat output = OutputFormat::Text;
  std::string kubeconfig;
  std::string kube_context;  // empty: the current one
  std::string feature_gates;
};

void AddGetTolerationsFlags(CLI::App& command, GetTolerationsOptions& options);

/// Prints each toleration of pods with its operator, which `kubectl describe` omits. For a bound
/// pod, also the values of its node's taints with that key, and the margin. Returns kExitFindings
/// if a named pod does not exist.
int RunGetTolerations(const GetTolerationsOptions& options, Context& context);

}  // namespace plimsoll::cli
