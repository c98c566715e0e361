#include "cli/apiserver/apiserver_flags.h"

#include <CLI/CLI.hpp>

#include "cli/flags/choice.h"
#include "cli/flags/common_flags.h"
#include "cli/flags/number_checks.h"

namespace plimsoll::cli {
namespace {

constexpr std::int64_t kPortMax = 65'535;

void AddTrafficLimits(CLI::App& command, ApiserverOptions& options) {
  RequireInteger(
      command.add_option(
          "--max-body-bytes-inflight", options.body_bytes_max,
          "Bytes of request bodies that may be in flight at once. Further requests get 429"),
      1, 1'125'899'906'842'624);
  RequireInteger(
      command.add_option("--max-body-bytes-inflight-per-user", options.body_bytes_per_user_max,
                         "Bytes of request bodies of one user that may be in flight at once. "
                         "Further requests get 429"),
      1, 1'125'899'906'842'624);
  RequireInteger(
      command.add_option(
          "--max-watches-per-user", options.watches_per_user_max,
          "Watches that one user may have open at once. The group system:masters has no limit"),
      1, 10'000'000);
  RequireInteger(
      command.add_option(
          "--max-connections", options.connections_max,
          "Open connections at once. The limit of open files of the process may reduce it"),
      1, 10'000'000);
  RequireInteger(
      command.add_option("--max-connections-per-address", options.connections_per_address_max,
                         "Open connections at once from one IPv4 address or IPv6 /64 network. 0 "
                         "means three quarters of --max-connections"),
      0, 10'000'000);
}

void AddApiserverLimits(CLI::App& command, ApiserverOptions& options) {
  RequireInteger(
      command.add_option("--max-requests-inflight", options.reading_max,
                         "Requests in flight at once that do not mutate objects. With priority and "
                         "fairness, the sum of this and the next limit is shared by all requests"),
      1, 1'000'000);
  RequireInteger(command.add_option("--max-mutating-requests-inflight", options.mutating_max,
                                    "Requests in flight at once that mutate objects"),
                 1, 1'000'000);
  AddTrafficLimits(command, options);
  command
      .add_option("--enable-priority-and-fairness", options.has_fairness,
                  "Queue requests fairly by FlowSchemas and PriorityLevelConfigurations. false "
                  "rejects requests beyond the two limits above with 429")
      ->type_name("BOOL")
      ->default_str("true");
  RequireInteger(
      command.add_option(
          "--default-not-ready-toleration-seconds", options.not_ready_seconds,
          "Default tolerationSeconds of pods for node.kubernetes.io/not-ready:NoExecute"),
      0, 2'147'483'647);
  RequireInteger(
      command.add_option(
          "--default-unreachable-toleration-seconds", options.unreachable_seconds,
          "Default tolerationSeconds of pods for node.kubernetes.io/unreachable:NoExecute"),
      0, 2'147'483'647);
  RequireInteger(command.add_option("--event-ttl-seconds", options.event_ttl_seconds,
                                    "Seconds after which events are deleted"),
                 1, 2'147'483'647);
  command
      .add_option(
          "--service-account-max-token-expiration", options.token_lifetime_max,
          "Maximum lifetime of service-account tokens. Requests for a longer one get this one")
      ->type_name("DURATION");
  RequireInteger(command.add_option(
                     "--shutdown-seconds", options.shutdown_seconds,
                     "Seconds that requests in flight may take to finish when the server stops"),
                 0, 86'400);
}

void AddEtcdFlags(CLI::App& command, ApiserverOptions& options) {
  command
      .add_option("--etcd-servers", options.etcd_servers,
                  "Store the objects in etcd instead of the data directory. URLs of the members, "
                  "separated by commas")
      ->delimiter(',')
      ->type_name("URLS");
  AddEtcdAccessFlags(command, options.etcd);
}

void AddStoreFlags(CLI::App& command, ApiserverOptions& options) {
  command.add_flag("--accept-data-loss", options.accepts_data_loss,
                   "Start with a damaged store on RocksDB that has lost acknowledged changes. "
                   "Without this flag the server does not start");
  RequireInteger(command.add_option("--quota-backend-bytes", options.quota_bytes,
                                    "Size in bytes above which the store on RocksDB accepts only "
                                    "deletions. 0 means no limit"),
                 0, 1'152'921'504'606'846'976);
  command
      .add_option("--scrub-interval", options.scrub_interval,
                  "Time between two verifications of all checksums of the store on RocksDB. 0 "
                  "switches them off")
      ->type_name("DURATION");
  command
      .add_option("--encryption-provider-config", options.encryption_config,
                  "EncryptionConfiguration (apiserver.config.k8s.io/v1): resources that are "
                  "encrypted in the store, and the keys")
      ->type_name("FILE");
  command.add_flag("--encryption-provider-config-automatic-reload",
                   options.reloads_encryption_config,
                   "Reload the file of --encryption-provider-config when it changes");
}

}  // namespace

void AddApiserverFlags(CLI::App& command, ApiserverOptions& options) {
  command
      .add_option("--data-dir", options.data_directory,
                  "Directory of the certificates, the kubeconfig and the store")
      ->type_name("DIR");
  command
      .add_option("--cluster-name", options.cluster_name,
                  "Name of the cluster, the user and the context in the kubeconfig")
      ->type_name("NAME");
  command.add_flag("--fresh", options.is_fresh,
                   "Delete the objects of earlier runs before the start. The certificates stay");
  RequireOneOf(
      command.add_option("--store", options.store,
                         "Storage backend: `rocksdb` (durable) or `memory` (lost on exit)"),
      {"rocksdb", "memory"});
  command.add_option("--bind-address", options.address, "IP address on which the API is served")
      ->type_name("IP");
  RequireInteger(command.add_option("--secure-port,--port", options.port,
                                    "HTTPS port on which the API is served. 0 chooses a free port"),
                 0, kPortMax);
  command
      .add_option("--tls-san", options.names,
                  "Additional host name or IP address in the server's own certificate")
      ->allow_extra_args(false)
      ->type_name("NAME");
  RequireInteger(
      command.add_option("--insecure-loopback-port", options.insecure_port,
                         "HTTP port on 127.0.0.1 without authentication: every process of this "
                         "machine is then cluster administrator. 0 switches it off"),
      0, kPortMax);
  command.add_flag("--profiling,!--no-profiling", options.has_profiling, kProfilingHelp);
  AddAuditFlags(command, options.audit);
  command
      .add_option("--admission-control-config-file", options.admission_config_file,
                  "AdmissionConfiguration (apiserver.config.k8s.io/v1): defaults and exemptions of "
                  "PodSecurity")
      ->type_name("FILE");
  AddFeatureGatesFlag(command, options.feature_gates);
  command
      .add_option("--runtime-config", options.runtime_config,
                  "API versions to serve, separated by commas: "
                  "GROUP/VERSION[/RESOURCE]=true|false, or api/all, api/ga, api/beta and api/alpha "
                  "in place of the name. All are served by default, and v1 always")
      ->delimiter(',')
      ->type_name("KEY=BOOL");
  command.add_flag("--tour,!--no-tour", options.is_tour,
                   "Print the kubeconfig and kubectl commands to try");
  AddAuthFlags(command, options.auth);
  AddEtcdFlags(command, options);
  AddStoreFlags(command, options);
  AddApiserverLimits(command, options);
}

}  // namespace plimsoll::cli
