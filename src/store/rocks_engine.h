#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/log.h"
#include "store/engine.h"
#include "store/rocks_store.h"
#include "store/version_index.h"

namespace rocksdb {
class ColumnFamilyHandle;
class DB;
class Status;
}  // namespace rocksdb

namespace plimsoll::store {

/// What went wrong with the disk, if anything. Also told by RocksDB's own threads.
class RocksHealth {
 public:
  RocksHealth(std::string directory, Logger& logger)
      : directory_(std::move(directory)), logger_(logger) {}

  /// Writes are refused from now on.
  void Fail(const rocksdb::Status& status);
  void Heal();
  /// ServiceUnavailable when it has failed.
  Status Get() const;

 private:
  const std::string directory_;
  Logger& logger_;
  mutable std::mutex mutex_;
  std::optional<Error> failure_;
};

/// Values and the log of keys in a RocksDB database; rocks_format.h has their bytes.
class RocksEngine final : public Engine {
 public:
  struct Opened {
    std::unique_ptr<RocksEngine> engine;
    VersionIndex index;
  };

  /// As OpenRocksStore.
  static Result<Opened> Open(const RocksOptions& options, Logger& logger);
  ~RocksEngine() override;
  RocksEngine(const RocksEngine&) = delete;
  RocksEngine& operator=(const RocksEngine&) = delete;

  Status Append(std::span<const Change> changes) override;
  std::unique_ptr<View> Snapshot() const override;
  Status Forget(Revision compacted, std::span<const Revision> revisions) override;
  Status Health() const override { return health_->Get(); }
  void Heal() override;

 private:
  explicit RocksEngine(std::shared_ptr<RocksHealth> health);
  Status OpenDatabase(const RocksOptions& options, Logger& logger);
  Status CheckFormat();
  Result<VersionIndex> ReadIndex() const;
  Result<std::optional<std::string>> ReadMeta(std::string_view key) const;

  std::string directory_;
  std::shared_ptr<RocksHealth> health_;
  std::unique_ptr<rocksdb::DB> db_;
  rocksdb::ColumnFamilyHandle* meta_ = nullptr;
  rocksdb::ColumnFamilyHandle* log_ = nullptr;
  rocksdb::ColumnFamilyHandle* values_ = nullptr;
};

}  // namespace plimsoll::store
