#include "cli/explain_flags.h"

#include <CLI/CLI.hpp>

#include "cli/server_flags.h"

namespace plimsoll::cli {

void AddExplainPodFlags(CLI::App& command, ExplainOptions& options) {
  command.add_option("name", options.name, "The pod; not needed where files hold just one")
      ->type_name("NAME");
  command.add_option("-n,--namespace", options.namespace_,
                     "Of the pod; otherwise that of the kubeconfig's context");
  command
      .add_option("-f,--filename", options.files,
                  "The pod, or a workload that makes it, and whatever else there is: with nodes "
                  "among it, or --nodes, no server is asked")
      ->allow_extra_args(false)
      ->type_name("FILE|DIR|-");
  command
      .add_option("--nodes", options.nodes,
                  "Nodes, and pods on them; `kubectl get nodes,pods -A -o json` output will do")
      ->allow_extra_args(false)
      ->type_name("FILE|DIR|-");
  command.add_option("--node", options.node, "All that this node says")->type_name("NAME");
  command.add_flag("--all-nodes", options.all_nodes, "All that each node says");
  command.add_option("-o,--output", options.output, "text or json")
      ->check(CLI::IsMember({"text", "json"}));
  AddKubeconfigFlag(command, options.kubeconfig);
  command
      .add_option("--scheduler-config", options.config_path,
                  "What the scheduler is configured with (KubeSchedulerConfiguration)")
      ->type_name("FILE");
  command.add_option("--feature-gates", options.feature_gates, std::string(kGatesHelp));
}

}  // namespace plimsoll::cli
