#include "cli/command_flags.h"

#include <CLI/CLI.hpp>

#include "cli/number_checks.h"
#include "cli/server_flags.h"

namespace plimsoll::cli {
namespace {

/// Flags for the number and behaviour of nodes, for all commands that run nodes.
void AddNodeFlags(CLI::App& command, KubeletOptions& options) {
  WantInteger(command.add_option("--nodes,--count", options.nodes, "How many nodes to simulate"), 0,
              1'000'000);
  command
      .add_option("--node-template", options.node_template,
                  "A Node, with {{i}} and the like where nodes differ")
      ->type_name("FILE");
  WantInteger(
      command.add_option("--first-node", options.first_node, "The number of the first node"), 0,
      1'000'000'000);
  command.add_flag("--adopt", options.adopts,
                   "Also run nodes that others create with plimsoll.io/simulated: \"true\"");
  command.add_option("--node-cidr", options.node_cidr, "Where nodes get their addresses from");
  command.add_option("--pod-cidr", options.pod_cidr, "Where pods get their addresses from");
  command
      .add_option("--lease-renewal", options.lease_renewal, "How often a node's lease is renewed")
      ->type_name("DURATION");
  command
      .add_option("--job-run-time", options.job_run_time,
                  "How long containers of a Job run, unless an annotation says so")
      ->type_name("DURATION");
  WantNotNegative(
      command.add_option("--event-qps", options.event_qps,
                         "How many normal events per second all nodes tell together; 0 for none"));
  WantInteger(command.add_option("--event-burst", options.event_burst, "How many of them at once"),
              0, 1'000'000);
}

}  // namespace

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

void AddGetDevicesFlags(CLI::App& command, GetDevicesOptions& options) {
  command.add_option("-o,--output", options.output, "table, wide or json")
      ->check(CLI::IsMember({"table", "wide", "json"}));
  command.add_option("--driver", options.driver, "Only devices of this driver");
  command.add_option("--node", options.node, "Only devices of this node")->type_name("NAME");
  command.add_flag("--tainted", options.tainted_only, "Only devices with taints");
  AddKubeconfigFlag(command, options.kubeconfig);
}

void AddTaintDeviceFlags(CLI::App& command, TaintDeviceOptions& options) {
  command
      .add_option("words", options.words,
                  "The device, unless flags select devices, and the taint: key=value:Effect or "
                  "key:Effect with NoExecute, NoSchedule or None; key- or key:Effect- removes it")
      ->type_name("[DRIVER/POOL/DEVICE] TAINT");
  command.add_option("--driver", options.driver, "All devices of this driver");
  command.add_option("--pool", options.pool, "All devices of this pool");
  command.add_option("--class", options.class_name, "All devices that this DeviceClass selects")
      ->type_name("NAME");
  command.add_option("--cel", options.expressions, "All devices for which this expression holds")
      ->allow_extra_args(false)
      ->type_name("EXPR");
  WantInteger(command.add_option("--rate", options.rate,
                                 "How many pods per second a NoExecute taint evicts; 10 without"),
              1, 1'000'000);
  command.add_option("--description", options.description, "Why, for people");
  command.add_option("--name", options.name, "Of the DeviceTaintRule; otherwise made of the rest");
  command.add_flag("--preview", options.is_preview,
                   "Only tell how many devices, claims and pods it is about, and how long eviction "
                   "takes");
  AddKubeconfigFlag(command, options.kubeconfig);
}

void AddKubeletFlags(CLI::App& command, KubeletOptions& options) {
  AddNodeFlags(command, options);
  AddKubeconfigFlag(command, options.kubeconfig);
  command.add_option("--feature-gates", options.feature_gates, std::string(kGatesHelp));
  AddPagesFlags(command, options.pages);
}

void AddUpFlags(CLI::App& command, UpOptions& options) {
  command.add_flag("--demo,!--no-demo", options.is_demo,
                   "Bring nodes of different risk, 20 unless --nodes says so, and two workloads");
  AddNodeFlags(command, options.kubelet);
  command
      .add_option("--manifests", options.manifests,
                  "Objects to create at the start, where they are missing")
      ->allow_extra_args(false)
      ->type_name("FILE|DIR");
  WantInteger(
      command.add_option("--time-scale", options.time_scale,
                         "How many seconds pass for the cluster in one of yours, from 1 to 1000"),
      1, 1'000);
  AddServingFlags(command, options.apiserver);
  AddSchedulingFlags(command, "--scheduler-config", options.scheduler);
  AddControllerFlags(command, options.controllers);
}

}  // namespace plimsoll::cli
