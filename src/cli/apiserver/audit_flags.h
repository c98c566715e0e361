#pragma once

#include <cstdint>
#include <string>

#include "apiserver/audit/request_audit.h"
#include "base/result.h"

namespace CLI {
class App;
}

namespace plimsoll::cli {

/// Values of the --audit-… flags.
struct AuditFlags {
  std::string policy_file;
  std::string path;
  std::string format = "json";
  std::string mode = "batch";
  int maxage = 0;
  int maxbackup = 0;
  int maxsize = 100;
  bool is_compressed = false;
  std::int64_t batch_buffer_size = 10000;
  std::int64_t batch_max_size = 400;
  std::string batch_max_wait;
  bool is_batch_throttled = false;
  double batch_throttle_qps = 10;
  int batch_throttle_burst = 15;
  bool is_truncating = false;
  std::int64_t truncate_max_event_size = 102400;
  std::int64_t truncate_max_batch_size = 10485760;
};

void AddAuditFlags(CLI::App& command, AuditFlags& flags);

/// Returns the options for these flags. Returns Invalid for contradictory flags.
Result<apiserver::AuditOptions> AuditOptionsOf(const AuditFlags& flags);

}  // namespace plimsoll::cli
