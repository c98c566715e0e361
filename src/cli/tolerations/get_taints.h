#pragma once

#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/flags/output_flag.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct GetTaintsOptions {
  std::vector<std::string> nodes;  // names; empty: all
  std::string selector;            // of labels
  std::vector<std::string> files;  // nodes and pods, instead of those of a server
  OutputFormat output = OutputFormat::Text;
  std::string kubeconfig;
  std::string kube_context;  // empty: the current one
  std::string feature_gates;
};

void AddGetTaintsFlags(CLI::App& command, GetTaintsOptions& options);

/// Prints each taint of nodes with its age, the field manager that owns it, and the number of pods
/// of the cluster that tolerate it. Returns kExitFindings if a named node does not exist.
int RunGetTaints(const GetTaintsOptions& options, Context& context);

}  // namespace plimsoll::cli
