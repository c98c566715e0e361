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

/// etcd's text, which clients and alerts search for.
inline constexpr const char* kSpaceExceeded = "etcdserver: mvcc: database space exceeded";

/// Compares the size of a store with its quota and raises an alarm while it is larger. The alarm
/// ends by itself once the store is smaller. Safe for use by many threads.
class SpaceQuota {
 public:
  /// `quota_bytes` 0: no quota. `metrics` may be null. Logger and metrics must outlive this object.
  SpaceQuota(std::uint64_t quota_bytes, std::string directory, Logger& logger,
             MetricsRegistry* metrics);

  /// Sets the size of the store, including memtables that are not on disk yet.
  void Measured(std::uint64_t bytes);
  /// Adds bytes written since the last measurement.
  void Wrote(std::uint64_t bytes);
  /// Returns NoSpace with kSpaceExceeded while the store is over its quota.
  Status Check() const;

 private:
  struct Gauges {
    Gauge size;
    Gauge exceeded;
  };

  /// REQUIRES: the caller holds the lock.
  void UpdateState();

  const std::uint64_t quota_bytes_;
  const std::string directory_;
  Logger& logger_;
  std::optional<Gauges> gauges_;
  std::mutex mutex_;
  std::uint64_t bytes_ = 0;                // last measurement plus the bytes written since
  std::atomic<bool> is_exceeded_ = false;  // read without the lock
};

}  // namespace plimsoll::store
