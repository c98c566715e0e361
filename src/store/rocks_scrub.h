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

/// The result of one scrub.
struct ScrubReport {
  std::int64_t files = 0;
  std::int64_t bytes = 0;
  std::int64_t corruptions = 0;  // files with a block whose checksum is wrong
};

/// Reads all table files of a database and verifies the checksum of every block, so that a disk
/// that forgets is found before its data is needed. It reads no faster than it may. What it finds
/// is logged and counted; nothing is changed.
class RocksScrub {
 public:
  /// `bytes_per_second` above 0. `metrics` may be null. The references must outlive it.
  RocksScrub(const RocksDatabase& database, std::uint64_t bytes_per_second, const Clock& clock,
             Logger& logger, MetricsRegistry* metrics);
  ~RocksScrub();

  /// Waits until all files are read, or until Stop.
  ScrubReport Run();
  /// Lets a running scrub end soon, and later ones at once. Any thread.
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
