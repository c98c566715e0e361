#include "cli/kubelet_flags.h"

#include <CLI/CLI.hpp>

namespace plimsoll::cli {

void AddNodeFlags(CLI::App& command, KubeletOptions& options) {
  command.add_option("--nodes,--count", options.nodes, "How many nodes to simulate");
  command
      .add_option("--node-template", options.node_template,
                  "A Node, with {{i}} and the like where nodes differ")
      ->type_name("FILE");
  command.add_option("--first-node", options.first_node, "The number of the first node")
      ->check(CLI::NonNegativeNumber);
  command.add_flag("--adopt", options.adopts,
                   "Also run nodes that others create with plimsoll.dev/simulated: \"true\"");
  command.add_option("--node-cidr", options.node_cidr, "Where nodes get their addresses from");
  command.add_option("--pod-cidr", options.pod_cidr, "Where pods get their addresses from");
  command
      .add_option("--lease-renewal", options.lease_renewal, "How often a node's lease is renewed")
      ->type_name("DURATION");
  command
      .add_option("--job-run-time", options.job_run_time,
                  "How long containers of a Job run, unless an annotation says so")
      ->type_name("DURATION");
  command
      .add_option("--event-qps", options.event_qps,
                  "How many normal events per second all nodes tell together; 0 for none")
      ->check(CLI::NonNegativeNumber);
  command.add_option("--event-burst", options.event_burst, "How many of them at once")
      ->check(CLI::NonNegativeNumber);
}

void AddKubeletFlags(CLI::App& command, KubeletOptions& options) {
  AddNodeFlags(command, options);
  command.add_option("--kubeconfig", options.kubeconfig, "How to reach the API server")
      ->type_name("FILE");
  command.add_option("--feature-gates", options.feature_gates,
                     "Features to switch, as Name=true,Other=false");
  command.add_option("--bind-address", options.address, "Where to show health and metrics")
      ->type_name("IP");
  command.add_option("--secure-port", options.port, "On which port, with TLS; 0 to show nothing");
}

}  // namespace plimsoll::cli
