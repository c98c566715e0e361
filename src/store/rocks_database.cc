#include "store/rocks_database.h"

#include <fmt/format.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/listener.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <utility>

#include "store/limits.h"
#include "store/rocks_errors.h"
#include "store/rocks_format.h"
#include "store/rocks_log.h"
#include "store/wal_tail.h"

namespace plimsoll::store {
namespace {

constexpr std::size_t kBlockBytes = 16U << 10U;
constexpr std::size_t kBackgroundSyncBytes = 1U << 20U;

/// Listens for errors on RocksDB's own threads. A memtable that cannot be flushed will soon block
/// writes, and the operator should hear of it before.
class Listener final : public rocksdb::EventListener {
 public:
  explicit Listener(std::shared_ptr<RocksHealth> health) : health_(std::move(health)) {}

  void OnBackgroundError(rocksdb::BackgroundErrorReason /*reason*/,
                         rocksdb::Status* status) override {
    if (status->severity() >= rocksdb::Status::kHardError) health_->Fail(*status);
  }
  /// Disables RocksDB's automatic recovery. RocksEngine::Recover recovers instead, by our clock.
  void OnErrorRecoveryBegin(rocksdb::BackgroundErrorReason /*reason*/, rocksdb::Status status,
                            bool* is_automatic) override {
    status.PermitUncheckedError();
    *is_automatic = false;
  }

 private:
  std::shared_ptr<RocksHealth> health_;
};

rocksdb::CompressionType FastCompression() {
  const std::vector<rocksdb::CompressionType> all = rocksdb::GetSupportedCompressions();
  const bool has_lz4 = std::find(all.begin(), all.end(), rocksdb::kLZ4Compression) != all.end();
  return has_lz4 ? rocksdb::kLZ4Compression : rocksdb::kNoCompression;
}

rocksdb::Options DatabaseOptions(const RocksOptions& wanted, std::shared_ptr<RocksHealth> health) {
  rocksdb::Options options;
  if (wanted.env != nullptr) options.env = wanted.env;
  options.create_missing_column_families = true;
  options.paranoid_checks = true;
  options.max_total_wal_size = kWalBytesMax;
  options.bytes_per_sync = kBackgroundSyncBytes;  // or a big table delays the log's small syncs
  options.max_background_jobs = 2;
  options.write_buffer_size = wanted.write_buffer_bytes;
  options.max_write_buffer_number = kWriteBuffersMax;
  options.compression = FastCompression();
  options.stats_dump_period_sec = 0;
  options.listeners.push_back(std::make_shared<Listener>(std::move(health)));
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(wanted.cache_bytes);
  table.block_size = kBlockBytes;
  table.cache_index_and_filter_blocks = true;  // so that the cache limits them, too
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

rocksdb::WALRecoveryMode RecoveryOf(RocksDatabase::Mode mode) {
  switch (mode) {
    case RocksDatabase::Mode::Salvage:
      return rocksdb::WALRecoveryMode::kPointInTimeRecovery;
    case RocksDatabase::Mode::SalvageAll:
      return rocksdb::WALRecoveryMode::kSkipAnyCorruptedRecords;
    default:
      // The last record at a crash was not acknowledged and is cut off, here or by CutTornTail.
      // Damage before it affects acknowledged records. This mode refuses to open then; the modes
      // that skip damage would lose them silently.
      return rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  }
}

}  // namespace

void RocksHealth::Fail(const rocksdb::Status& status) {
  const std::lock_guard lock(mutex_);
  const bool was_well = !failure_.has_value();
  failure_ = WriteError(directory_, status);
  if (was_well) PL_LOG(logger_, Error(*failure_), "The store refuses writes");
}

void RocksHealth::Recover() {
  const std::lock_guard lock(mutex_);
  if (!failure_.has_value()) return;
  failure_.reset();
  PL_LOG(logger_, Info(), "The store accepts writes again", {"directory", directory_});
}

Status RocksHealth::Get() const {
  const std::lock_guard lock(mutex_);
  if (failure_.has_value()) return std::unexpected(*failure_);
  return {};
}

Result<bool> HasRocksDatabase(const RocksOptions& options) {
  // To RocksDB, a directory without a CURRENT file looks new. It would create an empty database
  // beside the old data.
  rocksdb::Env& env = options.env == nullptr ? *rocksdb::Env::Default() : *options.env;
  if (env.FileExists(options.directory + "/CURRENT").ok()) return true;
  std::vector<std::string> names;
  const rocksdb::Status status = env.GetChildren(options.directory, &names);
  if (status.IsNotFound()) return false;
  if (!status.ok()) return std::unexpected(OpenError(options.directory, status));
  for (const std::string& name : names) {
    if (name.ends_with(".sst") || name.ends_with(".log") || name == kAcknowledgedFile) {
      return std::unexpected(
          DamageError(options.directory, fmt::format("there is {}, but no CURRENT file", name)));
    }
  }
  return false;
}

Result<std::unique_ptr<RocksDatabase>> RocksDatabase::Open(const RocksOptions& wanted, Mode mode,
                                                           std::shared_ptr<RocksHealth> health,
                                                           Logger& logger) {
  rocksdb::Options options = DatabaseOptions(wanted, std::move(health));
  options.info_log = MakeRocksLog(logger);
  options.wal_recovery_mode = RecoveryOf(mode);
  options.create_if_missing = mode == Mode::ReadWrite;
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const std::string_view name : {kMetaFamily, kLogFamily, kValuesFamily}) {
    families.emplace_back(std::string(name), options);
  }
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* db = nullptr;
  const auto open = [&] {
    if (mode == Mode::ReadOnly) {
      return rocksdb::DB::OpenForReadOnly(options, wanted.directory, families, &handles, &db);
    }
    return rocksdb::DB::Open(options, wanted.directory, families, &handles, &db);
  };
  rocksdb::Status status = open();
  if (mode == Mode::ReadWrite && status.IsCorruption() &&
      PL_TRY(CutTornTail(wanted.directory, logger))) {
    status = open();
  }
  if (!status.ok()) {
    return std::unexpected(OpenError(wanted.directory, status, FirstDamage(*options.info_log)));
  }
  std::unique_ptr<RocksDatabase> database(new RocksDatabase);
  database->directory_ = wanted.directory;
  database->db_.reset(db);
  database->meta_ = handles.at(0);
  database->log_ = handles.at(1);
  database->values_ = handles.at(2);
  return database;
}

RocksDatabase::~RocksDatabase() {
  if (db_ == nullptr) return;
  for (rocksdb::ColumnFamilyHandle* family : {meta_, log_, values_}) {
    if (family != nullptr) db_->DestroyColumnFamilyHandle(family);
  }
  const rocksdb::Status status = db_->Close();
  status.PermitUncheckedError();  // acknowledged writes are synced already
}

Result<std::optional<std::string>> RocksDatabase::ReadMeta(std::string_view key) const {
  std::string value;
  const rocksdb::Status status = db_->Get({}, meta_, key, &value);
  if (status.IsNotFound()) return std::nullopt;
  if (!status.ok()) return std::unexpected(ReadError(directory_, status));
  return value;
}

Status RocksDatabase::WriteMeta(std::string_view key, std::string_view value) {
  rocksdb::WriteOptions options;
  options.sync = true;
  const rocksdb::Status status = db_->Put(options, meta_, key, value);
  if (!status.ok()) return std::unexpected(OpenError(directory_, status));
  return {};
}

Result<Revision> RocksDatabase::ReadCompacted() const {
  const std::string text = PL_TRY(ReadMeta(kCompactedKey)).value_or("0");
  const std::optional<std::int64_t> compacted = ParseMetaNumber(text);
  if (!compacted.has_value()) {
    return std::unexpected(DamageError(directory_, "the compacted revision is '" + text + "'"));
  }
  return Revision{*compacted};
}

}  // namespace plimsoll::store
