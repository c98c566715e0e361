#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/log.h"
#include "base/result.h"
#include "store/rocks_store.h"

namespace rocksdb {
class ColumnFamilyHandle;
class DB;
class Status;
}  // namespace rocksdb

namespace plimsoll::store {

/// Write error of the disk, if any. RocksDB's own threads may call Fail, too.
class RocksHealth {
 public:
  RocksHealth(std::string directory, Logger& logger)
      : directory_(std::move(directory)), logger_(logger) {}

  /// Makes the store reject writes from now on.
  void Fail(const rocksdb::Status& status);
  void Recover();
  /// Returns ServiceUnavailable after Fail, until Recover.
  Status Get() const;

 private:
  const std::string directory_;
  Logger& logger_;
  mutable std::mutex mutex_;
  std::optional<Error> failure_;
};

/// An open RocksDB database and its column families. Their format is in rocks_format.h.
class RocksDatabase {
 public:
  enum class Mode : std::uint8_t {
    ReadWrite,
    ReadOnly,   // changes nothing on disk
    Salvage,    // keeps the records of a damaged write-ahead log up to the damage
    SalvageAll  // keeps the records after the damage as well
  };

  /// Errors are those of OpenRocksStore. Only ReadWrite creates a missing database.
  static Result<std::unique_ptr<RocksDatabase>> Open(const RocksOptions& options, Mode mode,
                                                     std::shared_ptr<RocksHealth> health,
                                                     Logger& logger);
  ~RocksDatabase();
  RocksDatabase(const RocksDatabase&) = delete;
  RocksDatabase& operator=(const RocksDatabase&) = delete;

  rocksdb::DB& db() const { return *db_; }
  const std::string& directory() const { return directory_; }
  rocksdb::ColumnFamilyHandle* meta() const { return meta_; }
  rocksdb::ColumnFamilyHandle* log() const { return log_; }
  rocksdb::ColumnFamilyHandle* values() const { return values_; }

  Result<std::optional<std::string>> ReadMeta(std::string_view key) const;
  /// Writes and syncs.
  Status WriteMeta(std::string_view key, std::string_view value);
  /// Returns the compacted revision, or 0 if nothing was compacted.
  Result<Revision> ReadCompacted() const;

 private:
  RocksDatabase() = default;

  std::string directory_;
  std::unique_ptr<rocksdb::DB> db_;
  rocksdb::ColumnFamilyHandle* meta_ = nullptr;
  rocksdb::ColumnFamilyHandle* log_ = nullptr;
  rocksdb::ColumnFamilyHandle* values_ = nullptr;
};

/// Returns true if the directory holds a database. InternalError: it has data files but no CURRENT.
Result<bool> HasRocksDatabase(const RocksOptions& options);

}  // namespace plimsoll::store
