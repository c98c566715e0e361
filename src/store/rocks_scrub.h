#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "base/clock.h"
#include "base/log.h"
#include "base/metrics.h"
#include "store/rocks_database.h"

namespace rocksdb {
class RateLimiter;
}

namespace plimsoll::store {

/// Result of one scrub.
struct ScrubReport {
  std::int64_t files = 0;
  std::int64_t bytes = 0;
  std::int64_t corruptions = 0;  // files with a block whose checksum is wrong
};

/// Reads all table files of a database and verifies the checksum of every block. It finds disk
/// errors before the data is needed. It reads at a limited rate, logs and counts errors, and
/// changes nothing.
class RocksScrub {
 public:
  /// REQUIRES: `bytes_per_second` > 0; the references outlive this object. `metrics` may be null.
  RocksScrub(const RocksDatabase& database, std::uint64_t bytes_per_second, const Clock& clock,
             Logger& logger, MetricsRegistry* metrics);
  ~RocksScrub();

  /// Blocks until all files are read, or until Stop.
  ScrubReport Run();
  /// Ends a running scrub soon; later ones end at once. Any thread may call it.
  void Stop();

 private:
  class Limiter;
  struct Metrics {
    Counter bytes;
    Counter corruptions;
    Gauge finished;
  };

  void Verify(const std::string& path, std::int64_t bytes, ScrubReport& report);

  const RocksDatabase& database_;
  const Clock& clock_;
  Logger& logger_;
  std::optional<Metrics> metrics_;
  const std::shared_ptr<Limiter> limiter_;
};

}  // namespace plimsoll::store
