#include "cli/server_flags.h"

#include <CLI/CLI.hpp>

#include "cli/number_checks.h"
#include "cli/store_commands.h"

namespace plimsoll::cli {
namespace {

constexpr std::int64_t kPortMax = 65'535;
constexpr const char* kProfilingHelp =
    "Serve CPU and heap profiles under /debug/pprof/ to those who may read that path";

void AddTrafficLimits(CLI::App& command, ApiserverOptions& options) {
  WantInteger(command.add_option("--max-body-bytes-inflight", options.body_bytes_max,
                                 "Bytes of request bodies that are held at once; more get 429"),
              1, 1'125'899'906'842'624);
  WantInteger(
      command.add_option("--max-body-bytes-inflight-per-user", options.body_bytes_per_user_max,
                         "The same for the requests of one user"),
      1, 1'125'899'906'842'624);
  WantInteger(command.add_option("--max-watches-per-user", options.watches_per_user_max,
                                 "Watches that one user may have open; system:masters has no "
                                 "limit"),
              1, 10'000'000);
  WantInteger(command.add_option("--max-connections", options.connections_max,
                                 "Open connections; fewer if the limit of open files is low"),
              1, 10'000'000);
  WantInteger(
      command.add_option("--max-connections-per-address", options.connections_per_address_max,
                         "Open connections of one IPv4 address or IPv6 /64 network; 0 "
                         "for three quarters of --max-connections"),
      0, 10'000'000);
}

void AddApiserverLimits(CLI::App& command, ApiserverOptions& options) {
  WantInteger(command.add_option("--max-requests-inflight", options.reading_max,
                                 "Reading requests that are worked on at once; with priority and "
                                 "fairness, the sum of both limits counts"),
              1, 1'000'000);
  WantInteger(command.add_option("--max-mutating-requests-inflight", options.mutating_max,
                                 "Writing requests that are worked on at once"),
              1, 1'000'000);
  AddTrafficLimits(command, options);
  command
      .add_option("--enable-priority-and-fairness", options.has_fairness,
                  "Queue requests fairly per user, by FlowSchemas and PriorityLevelConfigurations; "
                  "false: reject requests beyond the limits above")
      ->type_name("BOOL")
      ->default_str("true");
  WantInteger(
      command.add_option("--default-not-ready-toleration-seconds", options.not_ready_seconds,
                         "How long pods stay on a node that is not ready, unless they say so"),
      0, 2'147'483'647);
  WantInteger(
      command.add_option("--default-unreachable-toleration-seconds", options.unreachable_seconds,
                         "How long pods stay on a node that is unreachable, unless they say so"),
      0, 2'147'483'647);
  WantInteger(command.add_option("--event-ttl-seconds", options.event_ttl_seconds,
                                 "How long events are kept"),
              1, 2'147'483'647);
  command
      .add_option("--service-account-max-token-expiration", options.token_lifetime_max,
                  "The longest life of a service account's token; longer requests are shortened")
      ->type_name("DURATION");
  WantInteger(command.add_option("--shutdown-seconds", options.shutdown_seconds,
                                 "How long requests in flight may take to finish at the end"),
              0, 86'400);
}

void AddEtcdFlags(CLI::App& command, ApiserverOptions& options) {
  command
      .add_option("--etcd-servers", options.etcd_servers,
                  "Keep the objects in etcd: http://host:port of its members, with commas between")
      ->delimiter(',')
      ->type_name("URLS");
  AddEtcdAccessFlags(command, options.etcd);
}

void AddStoreFlags(CLI::App& command, ApiserverOptions& options) {
  command.add_flag("--accept-data-loss", options.accepts_data_loss,
                   "Open a store on RocksDB that has lost acknowledged changes, with those that "
                   "are left. Without it the server refuses to start");
  WantInteger(command.add_option(
                  "--quota-backend-bytes", options.quota_bytes,
                  "Size from which on the store on RocksDB accepts deletions only; 0 for no limit"),
              0, 1'152'921'504'606'846'976);
  command
      .add_option("--scrub-interval", options.scrub_interval,
                  "Time between two checks of all checksums of the store on RocksDB; 0 for none")
      ->type_name("DURATION");
  command
      .add_option("--encryption-provider-config", options.encryption_config,
                  "An EncryptionConfiguration of apiserver.config.k8s.io/v1: which resources are "
                  "encrypted in the store, and with which keys")
      ->type_name("FILE");
  command.add_flag("--encryption-provider-config-automatic-reload",
                   options.reloads_encryption_config,
                   "Read the file of --encryption-provider-config again when it changes");
}

void AddLeaderTimes(CLI::App& command, LeaderTimes& times) {
  command
      .add_option("--leader-elect-lease-duration", times.lease_duration,
                  "How long others wait after the leader's last sign of life; 15s by default")
      ->type_name("DURATION");
  command
      .add_option("--leader-elect-renew-deadline", times.renew_deadline,
                  "How long the leader tries to renew before it ends; 10s by default")
      ->type_name("DURATION");
  command
      .add_option("--leader-elect-retry-period", times.retry_period,
                  "How long to wait between tries; 2s by default")
      ->type_name("DURATION");
}

template <class Options>
void AddFlagsOfComponent(CLI::App& command, Options& options) {
  AddKubeconfigFlag(command, options.kubeconfig);
  command.add_option("--feature-gates", options.feature_gates, std::string(kGatesHelp));
  // A flag that is bound to an optional would set it even if the flag is not given.
  command.add_flag_function(
      "--leader-elect,!--no-leader-elect",
      [&options](std::int64_t sign) { options.leader_elect = sign > 0; },
      "Work only while holding the lease; on by default");
  AddLeaderTimes(command, options.leader_times);
  command
      .add_option("--leader-elect-resource-name", options.lease.name,
                  "The lease; by default one for all that do the same work")
      ->type_name("NAME");
  command
      .add_option("--leader-elect-resource-namespace", options.lease.namespace_,
                  "Where the lease is; kube-system by default")
      ->type_name("NAMESPACE");
  command
      .add_option("--server", options.server,
                  "Whose the API server is: plimsoll, kubernetes, or auto to ask it. Of another's, "
                  "pods are read with their plimsoll.io annotations")
      ->check(CLI::IsMember({"auto", "plimsoll", "kubernetes"}));
  AddPagesFlags(command, options.pages);
}

}  // namespace

void AddPagesFlags(CLI::App& command, PagesFlags& flags) {
  command.add_flag("--profiling,!--no-profiling", flags.has_profiling, kProfilingHelp);
  command.add_option("--bind-address", flags.address, "Address of the health and metrics pages")
      ->type_name("IP");
  WantInteger(command.add_option("--secure-port", flags.port,
                                 "Port of the health and metrics pages, with TLS; 0: no pages"),
              0, kPortMax);
  command
      .add_option("--authentication-kubeconfig", flags.authentication_kubeconfig,
                  "Kubeconfig of the API server that reviews bearer tokens of readers; by default "
                  "that of --kubeconfig")
      ->type_name("FILE");
  command
      .add_option("--authorization-kubeconfig", flags.authorization_kubeconfig,
                  "Kubeconfig of the API server that decides who may read which page; by default "
                  "that of --kubeconfig")
      ->type_name("FILE");
  command
      .add_option("--authorization-always-allow-paths", flags.always_allow_paths,
                  "Pages that need no login, with commas between")
      ->delimiter(',')
      ->type_name("PATHS");
  command
      .add_option("--client-ca-file", flags.client_ca_file,
                  "CA of the client certificates that readers may log in with")
      ->type_name("FILE");
}

void AddKubeconfigFlag(CLI::App& command, std::string& kubeconfig) {
  command
      .add_option("--kubeconfig", kubeconfig,
                  "How to reach the API server; otherwise $KUBECONFIG or ~/.kube/config")
      ->type_name("FILE");
}

void AddServingFlags(CLI::App& command, ApiserverOptions& options) {
  command
      .add_option("--data-dir", options.data_directory,
                  "Where certificates, the kubeconfig and the data live")
      ->type_name("DIR");
  command.add_flag("--fresh", options.is_fresh,
                   "Forget the objects of earlier runs; the certificates stay");
  command.add_option("--store", options.store, "rocksdb, or memory, which forgets")
      ->check(CLI::IsMember({"rocksdb", "memory"}));
  command.add_option("--bind-address", options.address, "Where to listen")->type_name("IP");
  WantInteger(command.add_option("--secure-port,--port", options.port,
                                 "The port to listen on with TLS; 0 for any free one"),
              0, kPortMax);
  command.add_option("--tls-san", options.names, "More names or addresses of this server")
      ->allow_extra_args(false)
      ->type_name("NAME");
  WantInteger(
      command.add_option("--insecure-loopback-port", options.insecure_port,
                         "Also listen on 127.0.0.1 without TLS. Every local process is then "
                         "cluster administrator without a login. 0: off"),
      0, kPortMax);
  command.add_flag("--profiling,!--no-profiling", options.has_profiling, kProfilingHelp);
  AddAuditFlags(command, options.audit);
  command
      .add_option("--admission-control-config-file", options.admission_config_file,
                  "An AdmissionConfiguration of apiserver.config.k8s.io/v1: defaults and "
                  "exemptions of PodSecurity")
      ->type_name("FILE");
  command.add_option("--feature-gates", options.feature_gates, std::string(kGatesHelp));
  command
      .add_option(
          "--runtime-config", options.runtime_config,
          "API versions to serve, with commas between: GROUP/VERSION[/RESOURCE]=true|false, "
          "or api/all, api/ga, api/beta, api/alpha instead of the name. All by default; the "
          "core group v1 always")
      ->delimiter(',')
      ->type_name("KEY=BOOL");
  command.add_flag("--tour,!--no-tour", options.is_tour,
                   "Say what runs and what to try with kubectl");
  AddAuthFlags(command, options.auth);
  AddEtcdFlags(command, options);
  AddStoreFlags(command, options);
  AddApiserverLimits(command, options);
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

void AddComponentFlags(CLI::App& command, SchedulerOptions& options) {
  AddFlagsOfComponent(command, options);
  command
      .add_option("--scheduler-name", options.scheduler_name,
                  "Place the pods whose schedulerName this is, beside other schedulers")
      ->type_name("NAME");
}

void AddComponentFlags(CLI::App& command, ControllerManagerOptions& options) {
  AddFlagsOfComponent(command, options);
  CLI::Option* const dry_run = command.add_flag(
      "--dry-run", options.is_dry_run,
      "Change nothing, and tell what would be done; so by default for another's API server");
  command
      .add_flag("--act", options.acts,
                "Change things there too, as long as nobody else is seen to do the same work")
      ->excludes(dry_run);
}

}  // namespace plimsoll::cli
