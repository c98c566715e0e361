#include "cli/components/component_flags.h"

#include <CLI/CLI.hpp>

#include "cli/flags/choice.h"
#include "cli/flags/common_flags.h"
#include "cli/flags/leader_election_flags.h"
#include "cli/flags/number_checks.h"
#include "cli/flags/secure_serving_flags.h"

namespace plimsoll::cli {
namespace {

/// For components with leader election.
template <class Options>
void AddSharedFlags(CLI::App& command, Options& options) {
  AddKubeconfigFlag(command, options.kubeconfig);
  AddFeatureGatesFlag(command, options.feature_gates);
  // A flag that is bound to an optional would set it even if the flag is not given.
  command.add_flag_function(
      "--leader-elect,!--no-leader-elect",
      [&options](std::int64_t sign) { options.leader_elect = sign > 0; },
      "Do the work only while this instance holds the lease. On by default");
  AddLeaderElectionFlags(command, options.leader_election);
  command
      .add_option("--server", options.server,
                  "Type of the API server. `auto` detects it. With `kubernetes`, plimsoll.io "
                  "annotations on pods and nodes replace the fields that Kubernetes does not have")
      ->type_name("TEXT");
  RequireOneOf(command.get_option("--server"), {"auto", "plimsoll", "kubernetes"});
  AddSecureServingFlags(command, options.serving);
}

}  // namespace

void AddSchedulerFlags(CLI::App& command, SchedulerOptions& options) {
  AddSchedulingFlags(command, "--config", options);
  AddSharedFlags(command, options);
  command
      .add_option("--scheduler-name", options.scheduler_name,
                  "Schedule only pods with this spec.schedulerName, beside other schedulers")
      ->type_name("NAME");
}

void AddControllerManagerFlags(CLI::App& command, ControllerManagerOptions& options) {
  AddSharedFlags(command, options);
  CLI::Option* const dry_run =
      command.add_flag("--dry-run", options.is_dry_run,
                       "Change nothing and log what would be done. This "
                       "is the default unless the API server is Plimsoll's");
  command
      .add_flag("--act", options.acts,
                "Make changes also if the API server is not Plimsoll's, unless its own controller "
                "manager does the same work")
      ->excludes(dry_run);
  AddControllerFlags(command, options.controllers);
}

void AddKubeletFlags(CLI::App& command, KubeletOptions& options) {
  AddNodeFlags(command, options);
  AddKubeconfigFlag(command, options.kubeconfig);
  AddFeatureGatesFlag(command, options.feature_gates);
  AddSecureServingFlags(command, options.serving);
}

void AddSchedulingFlags(CLI::App& command, std::string_view config_flag,
                        SchedulerOptions& options) {
  command
      .add_option(std::string(config_flag), options.config_path,
                  "KubeSchedulerConfiguration (kubescheduler.config.k8s.io/v1) of the scheduler")
      ->type_name("FILE");
  command
      .add_option("--taint-details", options.taint_details,
                  "Name the taints of nodes in the reasons why a pod is pending (shown), or only "
                  "count the nodes, as Kubernetes does (hidden)")
      ->type_name("TEXT");
  RequireOneOf(command.get_option("--taint-details"), {"shown", "hidden"});
}

void AddControllerFlags(CLI::App& command, ControllerFlags& flags) {
  command
      .add_option(
          "--controllers", flags.controllers,
          "Controllers to run, separated by commas: * for all, NAME for one, -NAME to exclude one")
      ->type_name("CONTROLLERS");
  command
      .add_option("--node-monitor-period", flags.node_monitor_period,
                  "Time between two checks of the heartbeats of nodes")
      ->type_name("DURATION");
  command
      .add_option("--node-monitor-grace-period", flags.node_monitor_grace_period,
                  "Time without a heartbeat after which a node becomes not ready")
      ->type_name("DURATION");
  command
      .add_option("--node-startup-grace-period", flags.node_startup_grace_period,
                  "Time without a heartbeat after which a new node becomes not ready")
      ->type_name("DURATION");
}

void AddNodeFlags(CLI::App& command, KubeletOptions& options) {
  RequireInteger(
      command.add_option("--nodes,--count", options.nodes, "Number of nodes to simulate"), 0,
      1'000'000);
  command
      .add_option("--node-template", options.node_template,
                  "Template of a Node in YAML. {{i}} is the number of the node; docs/kubelet.md "
                  "describes the rest")
      ->type_name("FILE");
  RequireInteger(command.add_option("--first-node", options.first_node,
                                    "Number of the first node, for {{i}} in the template"),
                 0, 1'000'000'000);
  command.add_flag("--adopt", options.adopts,
                   "Also simulate nodes that others create with the annotation "
                   "plimsoll.io/simulated: \"true\"");
  command
      .add_option("--node-cidr", options.node_cidr,
                  "IPv4 network from which nodes get their addresses")
      ->type_name("CIDR");
  command
      .add_option("--pod-cidr", options.pod_cidr,
                  "IPv4 network from which pods get their addresses")
      ->type_name("CIDR");
  command
      .add_option("--lease-renewal", options.lease_renewal,
                  "Time between two heartbeats of a node, which renew its Lease")
      ->type_name("DURATION");
  command
      .add_option("--job-run-time", options.job_run_time,
                  "Time after which containers of Jobs succeed, unless an annotation of the pod "
                  "sets another")
      ->type_name("DURATION");
  RequireNotNegative(
      command.add_option(
          "--event-qps", options.event_qps,
          "Events of type Normal per second that all nodes together may send. 0 sends none"),
      1'000'000);
  RequireInteger(command.add_option("--event-burst", options.event_burst,
                                    "Events of type Normal that may be sent at once after a pause"),
                 0, 1'000'000);
}

}  // namespace plimsoll::cli
