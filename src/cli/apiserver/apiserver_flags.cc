#include "cli/apiserver/apiserver_flags.h"

#include <CLI/CLI.hpp>

#include "cli/flags/common_flags.h"
#include "cli/flags/number_checks.h"

namespace plimsoll::cli {
namespace {

constexpr std::int64_t kPortMax = 65'535;

void AddTrafficLimits(CLI::App& command, ApiserverOptions& options) {
  RequireInteger(command.add_option("--max-body-bytes-inflight", options.body_bytes_max,
                                    "Bytes of request bodies that are held at once; more get 429"),
                 1, 1'125'899'906'842'624);
  RequireInteger(
      command.add_option("--max-body-bytes-inflight-per-user", options.body_bytes_per_user_max,
                         "The same for the requests of one user"),
      1, 1'125'899'906'842'624);
  RequireInteger(command.add_option("--max-watches-per-user", options.watches_per_user_max,
                                    "Watches that one user may have open; system:masters has no "
                                    "limit"),
                 1, 10'000'000);
  RequireInteger(command.add_option("--max-connections", options.connections_max,
                                    "Open connections; fewer if the limit of open files is low"),
                 1, 10'000'000);
  RequireInteger(
      command.add_option("--max-connections-per-address", options.connections_per_address_max,
                         "Open connections of one IPv4 address or IPv6 /64 network; 0 "
                         "for three quarters of --max-connections"),
      0, 10'000'000);
}

void AddApiserverLimits(CLI::App& command, ApiserverOptions& options) {
  RequireInteger(
      command.add_option("--max-requests-inflight", options.reading_max,
                         "Reading requests that are worked on at once; with priority and "
                         "fairness, the sum of both limits counts"),
      1, 1'000'000);
  RequireInteger(command.add_option("--max-mutating-requests-inflight", options.mutating_max,
                                    "Writing requests that are worked on at once"),
                 1, 1'000'000);
  AddTrafficLimits(command, options);
  command
      .add_option("--enable-priority-and-fairness", options.has_fairness,
                  "Queue requests fairly per user, by FlowSchemas and PriorityLevelConfigurations; "
                  "false: reject requests beyond the limits above")
      ->type_name("BOOL")
      ->default_str("true");
  RequireInteger(
      command.add_option("--default-not-ready-toleration-seconds", options.not_ready_seconds,
                         "How long pods stay on a node that is not ready, unless they say so"),
      0, 2'147'483'647);
  RequireInteger(
      command.add_option("--default-unreachable-toleration-seconds", options.unreachable_seconds,
                         "How long pods stay on a node that is unreachable, unless they say so"),
      0, 2'147'483'647);
  RequireInteger(command.add_option("--event-ttl-seconds", options.event_ttl_seconds,
                                    "How long events are kept"),
                 1, 2'147'483'647);
  command
      .add_option("--service-account-max-token-expiration", options.token_lifetime_max,
                  "The longest life of a service account's token; longer requests are shortened")
      ->type_name("DURATION");
  RequireInteger(command.add_option("--shutdown-seconds", options.shutdown_seconds,
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
  RequireInteger(
      command.add_option(
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

}  // namespace

void AddApiserverFlags(CLI::App& command, ApiserverOptions& options) {
  command
      .add_option("--data-dir", options.data_directory,
                  "Where certificates, the kubeconfig and the data live")
      ->type_name("DIR");
  command
      .add_option("--cluster-name", options.cluster_name,
                  "Name of the cluster, the user and the context in the kubeconfig")
      ->type_name("NAME");
  command.add_flag("--fresh", options.is_fresh,
                   "Forget the objects of earlier runs; the certificates stay");
  command.add_option("--store", options.store, "rocksdb, or memory, which forgets")
      ->check(CLI::IsMember({"rocksdb", "memory"}));
  command.add_option("--bind-address", options.address, "Where to listen")->type_name("IP");
  RequireInteger(command.add_option("--secure-port,--port", options.port,
                                    "The port to listen on with TLS; 0 for any free one"),
                 0, kPortMax);
  command.add_option("--tls-san", options.names, "More names or addresses of this server")
      ->allow_extra_args(false)
      ->type_name("NAME");
  RequireInteger(
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
  AddFeatureGatesFlag(command, options.feature_gates);
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

}  // namespace plimsoll::cli
