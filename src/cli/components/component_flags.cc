#include "cli/components/component_flags.h"

#include <CLI/CLI.hpp>

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
      "Work only while holding the lease; on by default");
  AddLeaderElectionFlags(command, options.leader_election);
  command
      .add_option("--server", options.server,
                  "Whose the API server is: plimsoll, kubernetes, or auto to ask it. Of another's, "
                  "pods are read with their plimsoll.io annotations")
      ->check(CLI::IsMember({"auto", "plimsoll", "kubernetes"}));
  AddSecureServingFlags(command, options.serving);
}

}  // namespace

void AddSchedulerFlags(CLI::App& command, SchedulerOptions& options) {
  AddSchedulingFlags(command, "--config", options);
  AddSharedFlags(command, options);
  command
      .add_option("--scheduler-name", options.scheduler_name,
                  "Place the pods whose schedulerName this is, beside other schedulers")
      ->type_name("NAME");
}

void AddControllerManagerFlags(CLI::App& command, ControllerManagerOptions& options) {
  AddSharedFlags(command, options);
  CLI::Option* const dry_run = command.add_flag(
      "--dry-run", options.is_dry_run,
      "Change nothing, and tell what would be done; so by default for another's API server");
  command
      .add_flag("--act", options.acts,
                "Change things there too, as long as nobody else is seen to do the same work")
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
                  "A KubeSchedulerConfiguration of kubescheduler.config.k8s.io/v1")
      ->type_name("FILE");
  command
      .add_option("--taint-details", options.taint_details,
                  "Whether the reasons of a pending pod name the taints of nodes: shown or hidden")
      ->check(CLI::IsMember({"shown", "hidden"}));
}

void AddControllerFlags(CLI::App& command, ControllerFlags& flags) {
  command
      .add_option("--controllers", flags.controllers,
                  "Those to run: * for all, a name for one, -name for all but that one")
      ->type_name("LIST");
  command
      .add_option("--node-monitor-period", flags.node_monitor_period,
                  "How often nodes are looked at for heartbeats")
      ->type_name("DURATION");
  command
      .add_option("--node-monitor-grace-period", flags.node_monitor_grace_period,
                  "How long a node may be silent before it counts as not ready")
      ->type_name("DURATION");
  command
      .add_option("--node-startup-grace-period", flags.node_startup_grace_period,
                  "The same for a node that has just come")
      ->type_name("DURATION");
}

void AddNodeFlags(CLI::App& command, KubeletOptions& options) {
  RequireInteger(command.add_option("--nodes,--count", options.nodes, "How many nodes to simulate"),
                 0, 1'000'000);
  command
      .add_option("--node-template", options.node_template,
                  "A Node, with {{i}} and the like where nodes differ")
      ->type_name("FILE");
  RequireInteger(
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
  RequireNotNegative(
      command.add_option("--event-qps", options.event_qps,
                         "How many normal events per second all nodes tell together; 0 for none"));
  RequireInteger(
      command.add_option("--event-burst", options.event_burst, "How many of them at once"), 0,
      1'000'000);
}

}  // namespace plimsoll::cli
