#pragma once

#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/flags/output_flag.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct EvictionsOptions {
  std::string namespace_;  // empty: that of the kubeconfig's context, or all of the files
  bool all_namespaces = false;
  bool is_watch = false;
  std::vector<std::string> files;  // objects, instead of those of a server
  OutputFormat output = OutputFormat::Text;
  std::string kubeconfig;
  std::string kube_context;  // empty: the current one
  std::string feature_gates;
};

void AddEvictionsFlags(CLI::App& command, EvictionsOptions& options);

/// Lists the evictions by taints that wait, are held back or run, and the EvictionPolicies.
int RunEvictions(const EvictionsOptions& options, Context& context);

}  // namespace plimsoll::cli
