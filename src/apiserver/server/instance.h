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
  std::string data_directory;        // of certificates, kubeconfig and store
  bool is_stored_in_memory = false;  // and lost at the end
  /// Where the store is instead of the directory; without endpoints: nowhere else.
  store::EtcdOptions etcd;
  /// Of the store in the directory.
  bool accepts_data_loss = false;
  std::uint64_t quota_bytes = 0;  // 0: none
  Duration scrub_interval = Duration::zero();
  std::string encryption_config;  // file; empty: nothing is encrypted
  bool reloads_encryption_config = false;
  std::string address = "127.0.0.1";
  std::uint16_t port = 6443;       // 0: any free one
  std::vector<std::string> names;  // of the server, beside localhost: --tls-san
  std::uint16_t insecure_port =
      0;                 // on loopback, without TLS, everyone is the administrator; 0: off
  ServingFiles serving;  // certificates of others
  AuthenticationOptions authentication;
  AuthorizationOptions authorization;
  /// How often the server's own certificates are looked at, and renewed when they have less than a
  /// month to live. Zero: never, for a clock that is not the world's.
  Duration renewal_period = std::chrono::hours(1);
  AuditOptions audit;
  int threads = 2;
  api::FeatureGates gates;
  RuntimeConfig runtime_config;
  FairnessOptions fairness;
  BodyLimits bodies;
  int watches_per_user_max = 10'000;
  int connections_max = 20'000;
  int connections_per_address_max = 0;  // 0: three quarters of them
  AdmissionOptions admission;
  Duration event_lifetime = std::chrono::hours(1);
  std::uint64_t seed = 0;     // of names, uids and time-outs
  bool has_profiling = true;  // /debug/pprof/
};

/// A whole API server: store, cache, security, admission, handlers and the sockets. Everything that
/// runs ends with it, so the clock must go on by itself, and clients of the handler must be gone.
class Instance {
 public:
  /// The references must outlive it. An error says what to do about it: the port is taken, another
  /// process has the data, the disk is full.
  static Result<std::unique_ptr<Instance>> Start(const InstanceOptions& options, Clock& clock,
                                                 Logger& log, MetricsRegistry& metrics);
  virtual ~Instance() = default;

  /// For components in the same process, see net::ConnectLocally.
  virtual net::Handler& handler() = 0;
  virtual std::uint16_t port() const = 0;
  virtual std::uint16_t insecure_port() const = 0;
  /// The administrator's. Readable by its owner alone.
  virtual const std::string& kubeconfig_path() const = 0;
  virtual const ResourceTable& resources() const = 0;
  virtual Cache& cache() = 0;

  /// Reads all files of certificates, keys and configuration again, as it does by itself when one
  /// has changed. Connections and requests in flight are not disturbed.
  virtual void Reload() = 0;

  /// /readyz fails from now on; requests in flight finish within the time and watches end.
  virtual void Drain(Duration timeout) = 0;
};

}  // namespace plimsoll::apiserver
