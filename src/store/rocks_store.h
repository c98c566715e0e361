#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/log.h"
#include "base/metrics.h"
#include "base/result.h"
#include "store/store.h"

namespace rocksdb {
class Env;
}

namespace plimsoll::store {

struct RocksOptions {
  std::string directory;  // used by this store only; created with mode 0700 if missing
  HistoryBounds history;
  std::size_t cache_bytes = 32U << 20U;         // block cache
  std::size_t write_buffer_bytes = 16U << 20U;  // size of each of a few memtables
  rocksdb::Env* env = nullptr;                  // replaces the disk in tests; null: the real one
  bool creates_if_missing = true;  // false: NotFound if there is no store, and none is created
  /// Opens a store that has lost acknowledged changes, with the changes left. See README.md.
  bool accepts_data_loss = false;
  /// Size in bytes beyond which the store accepts only deletions; 0: no quota.
  std::uint64_t quota_bytes = 0;
  Duration scrub_interval = Duration::zero();  // between scrubs; zero: never
  std::uint64_t scrub_bytes_per_second = 16U << 20U;
};

/// Opens the store in a local directory, on RocksDB. Acknowledged writes are synced to disk.
///
/// ServiceUnavailable: another process uses the store. NotFound: there is none, and
/// `creates_if_missing` is false. InternalError: it is unreadable or not writable, is damaged, has
/// lost acknowledged changes, or has an unknown format. The message advises the operator, and
/// nothing was changed. The clock, the logger and the metrics (which may be null) must outlive the
/// store. With metrics, the clock must be safe for use by many threads.
Result<std::unique_ptr<Store>> OpenRocksStore(RocksOptions options, Clock& clock, Logger& logger,
                                              MetricsRegistry* metrics);

}  // namespace plimsoll::store
