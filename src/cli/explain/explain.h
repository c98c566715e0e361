#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/result.h"
#include "cli/context.h"
#include "cli/flags/output_flag.h"
#include "scheduler/scheduler.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

struct ExplainOptions {
  std::string name;                // name of the object; optional if the files contain only one
  std::string namespace_;          // empty: that of the kubeconfig's context, or default
  std::vector<std::string> files;  // the object, and cluster objects if no server is used
  std::vector<std::string> nodes;  // files with nodes, as in `plimsoll match`
  std::string node;                // show all details of this node
  bool all_nodes = false;          // show all details of every node
  OutputFormat output = OutputFormat::Text;
  std::string kubeconfig;
  std::string kube_context;  // context in it; empty: the current one
  std::string config_path;   // scheduler configuration
  std::string feature_gates;
  std::int64_t replicas = -1;  // number of pods that a workload should have; -1: its own
};

/// Returns the options of the scheduler that would place the pods.
Result<scheduler::SchedulerOptions> SchedulerOptionsOf(const ExplainOptions& options);

/// Adds the flags that all `explain` commands share.
void AddExplainFlags(CLI::App& command, ExplainOptions& options);

void AddExplainPodFlags(CLI::App& command, ExplainOptions& options);

/// Explains which nodes fit a pod and why others do not, using the scheduler's code. Changes
/// nothing. Returns kExitFindings if no node fits, or if something failed. For a bound pod: if its
/// node is gone or would not accept it again. Returns kExitUsage for a wrong call.
int RunExplainPod(const ExplainOptions& options, Context& context);

}  // namespace plimsoll::cli
