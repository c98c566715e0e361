#pragma once

#include <string>

#include "cli/context.h"

namespace plimsoll::cli {

struct MatchOptions {
  std::string pod;               // a file with one pod or workload, or `-`
  std::string nodes;             // files with nodes; empty: those of the server
  std::string kubeconfig;        // of that server
  std::string node;              // full diagnosis of this one
  std::string output = "table";  // table, wide, json, yaml
  std::string feature_gates;
};

/// Says of every node whether it accepts the pod, and if not why. kExitFindings when none does.
int RunMatch(const MatchOptions& options, Context& context);

}  // namespace plimsoll::cli
