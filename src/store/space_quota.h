#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

#include "base/log.h"
#include "base/metrics.h"
#include "base/result.h"

namespace plimsoll::store {

/// Upstream's words, which clients and alerts look for.
inline constexpr const char* kSpaceExceeded = "etcdserver: mvcc: database space exceeded";

/// Compares the size of a store with its quota and raises an alarm when it is larger. The alarm
/// ends by itself once the store is smaller again. Safe for use by many threads.
class SpaceQuota {
 public:
  /// `quota_bytes` 0: no quota. `metrics` may be null. Both references must outlive it.
  SpaceQuota(std::uint64_t quota_bytes, std::string directory, Logger& logger,
             MetricsRegistry* metrics);

  /// The size of the store now, on disk and not yet there.
  void Measured(std::uint64_t bytes);
  /// So much was written since it was measured.
  void Wrote(std::uint64_t bytes);
  /// InternalError with kSpaceExceeded while the store is over its quota.
  Status Check() const;

 private:
  struct Gauges {
    Gauge size;
    Gauge exceeded;
  };

  /// With the lock held.
  void Judge();

  const std::uint64_t quota_bytes_;
  const std::string directory_;
  Logger& logger_;
  std::optional<Gauges> gauges_;
  std::mutex mutex_;
  std::uint64_t bytes_ = 0;                // as measured, with what was written since
  std::atomic<bool> is_exceeded_ = false;  // read without the lock
};

}  // namespace plimsoll::store
