#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

#include "apiserver/server/instance.h"
#include "base/result.h"
#include "cli/apiserver/audit_flags.h"
#include "cli/apiserver/auth_flags.h"
#include "cli/context.h"
#include "cli/flags/etcd_flags.h"
#include "service/data_directory.h"

namespace plimsoll::cli {

/// Data directory of `apiserver`, `up`, `status` and `down` without --data-dir.
inline constexpr const char* kDefaultDataDirectory = ".plimsoll";

struct ApiserverOptions {
  std::string data_directory = kDefaultDataDirectory;
  std::string cluster_name = "plimsoll";
  std::string store = "rocksdb";          // rocksdb or memory
  std::vector<std::string> etcd_servers;  // empty: the store is in the data directory
  EtcdAccess etcd;
  bool accepts_data_loss = false;
  std::uint64_t quota_bytes = 8ULL << 30U;  // 0: no quota
  std::string scrub_interval = "24h";       // 0: never
  std::string encryption_config;
  bool reloads_encryption_config = false;
  std::string address = "127.0.0.1";
  std::uint16_t port = 6443;
  std::vector<std::string> names;  // --tls-san
  std::uint16_t insecure_port = 0;
  AuthFlags auth;
  AuditFlags audit;
  std::string admission_config_file;
  std::string feature_gates;
  std::vector<std::string> runtime_config;
  int reading_max = 400;
  int mutating_max = 200;
  std::int64_t body_bytes_max = 128 << 20;
  std::int64_t body_bytes_per_user_max = 32 << 20;
  int watches_per_user_max = 10'000;
  int connections_max = 20'000;
  int connections_per_address_max = 0;
  bool has_fairness = true;
  std::int64_t not_ready_seconds = 300;
  std::int64_t unreachable_seconds = 300;
  std::int64_t event_ttl_seconds = 3600;
  std::string token_lifetime_max = "48h";  // --service-account-max-token-expiration
  int shutdown_seconds = 30;
  bool has_profiling = true;
  bool is_fresh = false;  // delete the objects of earlier runs
  bool is_tour = false;   // print kubectl commands to try
};

/// Returns Invalid for wrong feature gates or contradictory flags. Returns another error if a file
/// with etcd credentials cannot be read.
Result<apiserver::InstanceOptions> InstanceOptionsOf(const ApiserverOptions& options);

/// See DataDirectory::Claim.
Result<service::DataDirectory> ClaimDirectory(const ApiserverOptions& options);

/// Prints a warning to `err` if the insecure port is open.
void WarnOfInsecurePort(const apiserver::Instance& server, std::ostream& err);

/// Serves until SIGINT or SIGTERM.
int RunApiserver(const ApiserverOptions& options, Context& context);

}  // namespace plimsoll::cli
