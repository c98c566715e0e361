#pragma once

#include <string>
#include <vector>

#include "cli/context.h"

namespace plimsoll::cli {

struct ExplainOptions {
  std::string name;                // of the pod; may be left out where files hold just one
  std::string namespace_;          // empty: that of the kubeconfig's context, or default
  std::vector<std::string> files;  // the pod, and what else of the cluster is not at a server
  std::vector<std::string> nodes;  // likewise; kept apart as `plimsoll match` does
  std::string node;                // all that this one says
  bool all_nodes = false;          // and every other
  std::string output = "text";     // or json
  std::string kubeconfig;
  std::string config_path;  // of the scheduler
  std::string feature_gates;
};

/// Says where a pod can go and why not elsewhere, as the scheduler would decide it, and decides
/// nothing. kExitFindings when no node takes it, or, of one that is bound, when its node would not
/// take it again.
int RunExplainPod(const ExplainOptions& options, Context& context);

}  // namespace plimsoll::cli
