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
  std::string directory;  // of the store alone; made, for its owner only, when it is missing
  HistoryBounds history;
  std::size_t cache_bytes = 32U << 20U;         // of blocks that were read
  std::size_t write_buffer_bytes = 16U << 20U;  // of each of a few that fill and are written out
  rocksdb::Env* env = nullptr;                  // another disk, for tests; null: the machine's
  bool creates_if_missing = true;  // false: NotFound when there is no store, and nothing is made
  /// Opens a store that has lost acknowledged changes, with those that are left. See README.md.
  bool accepts_data_loss = false;
  /// Size from which on the store accepts deletions only; 0: none.
  std::uint64_t quota_bytes = 0;
  Duration scrub_interval = Duration::zero();  // between scrubs; zero: never
  std::uint64_t scrub_bytes_per_second = 16U << 20U;
};

/// The store in a directory of this machine, on RocksDB: what is acknowledged is synced.
///
/// ServiceUnavailable: another process has it open. NotFound: there is none, and none shall be
/// made. InternalError: it cannot be read or written, is damaged, has lost acknowledged changes, or
/// is of a format that is not known; the message says what an operator can do, and nothing was
/// changed. The clock and the logger must outlive the store, and so must the metrics unless they
/// are null; with metrics, the clock must be safe for use by many threads.
Result<std::unique_ptr<Store>> OpenRocksStore(RocksOptions options, Clock& clock, Logger& logger,
                                              MetricsRegistry* metrics);

}  // namespace plimsoll::store
