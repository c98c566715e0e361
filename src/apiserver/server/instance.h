#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "api/feature_gates.h"
#include "apiserver/admission/chain.h"
#include "apiserver/audit/request_audit.h"
#include "apiserver/authn/authentication_options.h"
#include "apiserver/authz/authorization_options.h"
#include "apiserver/cache/cache.h"
#include "apiserver/credentials/serving_credentials.h"
#include "apiserver/fairness/fairness.h"
#include "apiserver/resource/resource.h"
#include "apiserver/server/body_reader.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/metrics.h"
#include "net/http.h"
#include "store/etcd_store.h"

namespace plimsoll::apiserver {

struct InstanceOptions {
  std::string data_directory;             // for certificates, kubeconfig and store
  std::string cluster_name = "plimsoll";  // of the cluster, user and context in kubeconfigs
  bool is_stored_in_memory = false;       // lost on exit
  /// Uses etcd as the store if it has endpoints, else the data directory.
  store::EtcdOptions etcd;
  /// Options of the store in the data directory.
  bool accepts_data_loss = false;
  std::uint64_t quota_bytes = 0;  // 0: no quota
  Duration scrub_interval = Duration::zero();
  std::string encryption_config;  // file; empty: no encryption at rest
  bool reloads_encryption_config = false;
  std::string address = "127.0.0.1";
  std::uint16_t port = 6443;       // 0: any free port
  std::vector<std::string> names;  // additional DNS names and addresses of the server: --tls-san
  std::uint16_t insecure_port =
      0;                 // without TLS, on loopback; every client is the administrator; 0: off
  ServingFiles serving;  // certificates that the user provides
  AuthenticationOptions authentication;
  AuthorizationOptions authorization;
  /// Interval at which the server renews those of its own certificates that expire within a month.
  /// Zero: never, for use with a virtual clock.
  Duration renewal_period = std::chrono::hours(1);
  AuditOptions audit;
  int threads = 2;
  api::FeatureGates gates;
  RuntimeConfig runtime_config;
  FairnessOptions fairness;
  BodyLimits bodies;
  int watches_per_user_max = 10'000;
  int connections_max = 20'000;
  int connections_per_address_max = 0;  // 0: three quarters of connections_max
  AdmissionOptions admission;
  Duration event_lifetime = std::chrono::hours(1);
  std::uint64_t seed = 0;     // of names, uids and time-outs
  bool has_profiling = true;  // serves /debug/pprof/
};

/// A whole API server: store, cache, security, admission, handlers and sockets. The destructor
/// stops it. REQUIRES: the clock runs on its own; clients of `handler()` end before the instance.
class Instance final {
 public:
  /// Returns the error that Start would return because of an address or a file that the user named.
  /// Writes nothing to the disk.
  static Status Check(const InstanceOptions& options, Clock& clock, Logger& log);
  /// The references must outlive the instance. The error text says what to do if the port is taken,
  /// another process uses the data, or the disk is full.
  static Result<std::unique_ptr<Instance>> Start(const InstanceOptions& options, Clock& clock,
                                                 Logger& log, MetricsRegistry& metrics);
  ~Instance();
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  /// Handler for components in the same process, see net::ConnectLocally.
  net::Handler& handler();
  std::uint16_t port() const;
  std::uint16_t insecure_port() const;
  /// Path of the administrator's kubeconfig. Only its owner can read the file.
  const std::string& kubeconfig_path() const;
  const ResourceTable& resources() const;
  Cache& cache();

  /// Reads all certificate, key and configuration files again, as happens automatically when one
  /// has changed. Does not interrupt connections and requests.
  void Reload();

  /// Makes /readyz fail, ends watches, and waits until requests have finished or the time is over.
  void Drain(Duration timeout);

 private:
  class Parts;

  explicit Instance(std::unique_ptr<Parts> parts);

  // Apart, so that this header does not need the headers of all parts.
  std::unique_ptr<Parts> parts_;
};

}  // namespace plimsoll::apiserver
