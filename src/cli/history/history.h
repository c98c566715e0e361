#pragma once

#include <string>
#include <vector>

#include "cli/context.h"
#include "cli/flags/output_flag.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct HistoryOptions {
  std::string kind;  // pod, node, workload or rule
  std::string name;
  std::string namespace_;  // empty: that of the context
  std::string since = "24h";
  std::vector<std::string> files;  // EvictionRecords, instead of those of a server
  OutputFormat output = OutputFormat::Text;
  std::string kubeconfig;
  std::string kube_context;  // empty: the current one
};

void AddHistoryFlags(CLI::App& command, HistoryOptions& options);

/// Prints the facts about taints and evictions that concern one thing, the oldest first.
int RunHistory(const HistoryOptions& options, Context& context);

}  // namespace plimsoll::cli
