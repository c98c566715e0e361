#include "store/rocks_engine.h"

#include <fmt/format.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/listener.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "store/rocks_errors.h"
#include "store/rocks_format.h"
#include "store/rocks_log.h"
#include "store/rocks_view.h"
#include "store/wal_tail.h"

namespace plimsoll::store {
namespace {

constexpr int kWriteBuffersMax = 4;
constexpr std::uint64_t kWalBytesMax = 128U << 20U;  // what an opening replays at most
constexpr std::size_t kBlockBytes = 16U << 10U;
constexpr std::size_t kBackgroundSyncBytes = 1U << 20U;
constexpr std::size_t kLoadReadaheadBytes = 1U << 20U;

/// Hears of what fails on RocksDB's own threads: a memtable that cannot be written out will soon
/// hold up writes, and an operator should not learn it from them.
class Listener final : public rocksdb::EventListener {
 public:
  explicit Listener(std::shared_ptr<RocksHealth> health) : health_(std::move(health)) {}

  void OnBackgroundError(rocksdb::BackgroundErrorReason /*reason*/,
                         rocksdb::Status* status) override {
    if (status->severity() >= rocksdb::Status::kHardError) health_->Fail(*status);
  }
  /// When to try again is ours to say, by our clock.
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
  options.create_if_missing = true;
  options.create_missing_column_families = true;
  options.paranoid_checks = true;
  // The end of the log that was being written when the machine stopped was not acknowledged and is
  // cut off, here or by CutTornTail. Damage before it is of what was: the modes that step over it
  // would lose that in silence, this one refuses to open.
  options.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
  options.max_total_wal_size = kWalBytesMax;
  options.bytes_per_sync = kBackgroundSyncBytes;  // or a big table holds up the log's small syncs
  options.max_background_jobs = 2;
  options.write_buffer_size = wanted.write_buffer_bytes;
  options.max_write_buffer_number = kWriteBuffersMax;
  options.compression = FastCompression();
  options.stats_dump_period_sec = 0;
  options.listeners.push_back(std::make_shared<Listener>(std::move(health)));
  rocksdb::BlockBasedTableOptions table;
  table.block_cache = rocksdb::NewLRUCache(wanted.cache_bytes);
  table.block_size = kBlockBytes;
  table.cache_index_and_filter_blocks = true;  // so that they are bounded as well
  table.pin_l0_filter_and_index_blocks_in_cache = true;
  options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
  return options;
}

/// A directory without its CURRENT file looks new to RocksDB, which would begin an empty database
/// beside the data of the old one.
Status CheckNotBeheaded(rocksdb::Env& env, const std::string& directory) {
  if (env.FileExists(directory + "/CURRENT").ok()) return {};
  std::vector<std::string> names;
  const rocksdb::Status status = env.GetChildren(directory, &names);
  if (!status.ok()) return std::unexpected(OpenError(directory, status));
  for (const std::string& name : names) {
    if (name.ends_with(".sst") || name.ends_with(".log")) {
      return std::unexpected(
          DamageError(directory, fmt::format("there is {}, but no CURRENT file", name)));
    }
  }
  return {};
}

}  // namespace

void RocksHealth::Fail(const rocksdb::Status& status) {
  const std::lock_guard lock(mutex_);
  const bool was_well = !failure_.has_value();
  failure_ = WriteError(directory_, status);
  if (was_well) PL_LOG(logger_, Error(*failure_), "The store refuses writes");
}

void RocksHealth::Heal() {
  const std::lock_guard lock(mutex_);
  if (!failure_.has_value()) return;
  failure_.reset();
  PL_LOG(logger_, Info(), "The store takes writes again", {"directory", directory_});
}

Status RocksHealth::Get() const {
  const std::lock_guard lock(mutex_);
  if (failure_.has_value()) return std::unexpected(*failure_);
  return {};
}

RocksEngine::RocksEngine(std::shared_ptr<RocksHealth> health) : health_(std::move(health)) {}

RocksEngine::~RocksEngine() {
  if (db_ == nullptr) return;
  for (rocksdb::ColumnFamilyHandle* family : {meta_, log_, values_}) {
    if (family != nullptr) db_->DestroyColumnFamilyHandle(family);
  }
  const rocksdb::Status status = db_->Close();
  status.PermitUncheckedError();  // what was acknowledged is synced already
}

Result<RocksEngine::Opened> RocksEngine::Open(const RocksOptions& options, Logger& logger) {
  std::unique_ptr<RocksEngine> engine(
      new RocksEngine(std::make_shared<RocksHealth>(options.directory, logger)));
  PL_TRY(engine->OpenDatabase(options, logger));
  PL_TRY(engine->CheckFormat());
  VersionIndex index = PL_TRY(engine->ReadIndex());
  return Opened{std::move(engine), std::move(index)};
}

Status RocksEngine::OpenDatabase(const RocksOptions& wanted, Logger& logger) {
  directory_ = wanted.directory;
  PL_TRY(MakeDirectory(directory_));
  rocksdb::Options options = DatabaseOptions(wanted, health_);
  options.info_log = MakeRocksLog(logger);
  PL_TRY(CheckNotBeheaded(*options.env, directory_));
  std::vector<rocksdb::ColumnFamilyDescriptor> families;
  for (const std::string_view name : {kMetaFamily, kLogFamily, kValuesFamily}) {
    families.emplace_back(std::string(name), options);
  }
  std::vector<rocksdb::ColumnFamilyHandle*> handles;
  rocksdb::DB* db = nullptr;
  rocksdb::Status status = rocksdb::DB::Open(options, directory_, families, &handles, &db);
  if (status.IsCorruption() && PL_TRY(CutTornTail(directory_, logger))) {
    status = rocksdb::DB::Open(options, directory_, families, &handles, &db);
  }
  if (!status.ok()) {
    return std::unexpected(OpenError(directory_, status, FirstDamage(*options.info_log)));
  }
  db_.reset(db);
  meta_ = handles.at(0);
  log_ = handles.at(1);
  values_ = handles.at(2);
  return {};
}

Result<std::optional<std::string>> RocksEngine::ReadMeta(std::string_view key) const {
  std::string value;
  const rocksdb::Status status = db_->Get({}, meta_, key, &value);
  if (status.IsNotFound()) return std::nullopt;
  if (!status.ok()) return std::unexpected(ReadError(directory_, status));
  return value;
}

Status RocksEngine::CheckFormat() {
  const std::optional<std::string> format = PL_TRY(ReadMeta(kFormatKey));
  const std::string known = std::to_string(kRocksFormat);
  if (format.has_value()) {
    if (*format == known) return {};
    return Fail(Reason::InternalError,
                fmt::format("the store in {} is of format {}, and this program knows format {} "
                            "only: use the version that wrote it, or another directory",
                            directory_, *format, known));
  }
  const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator({}, log_));
  at->SeekToFirst();
  if (at->Valid() || !at->status().ok()) {
    return std::unexpected(DamageError(directory_, "there are changes, but no format"));
  }
  rocksdb::WriteOptions options;
  options.sync = true;
  const rocksdb::Status status = db_->Put(options, meta_, kFormatKey, known);
  if (!status.ok()) return std::unexpected(OpenError(directory_, status));
  return {};
}

Result<VersionIndex> RocksEngine::ReadIndex() const {
  const std::string text = PL_TRY(ReadMeta(kCompactedKey)).value_or("0");
  const std::optional<std::int64_t> compacted = ParseMetaNumber(text);
  if (!compacted.has_value()) {
    return std::unexpected(DamageError(directory_, "the compacted revision is '" + text + "'"));
  }
  VersionIndex index{Revision{*compacted}};
  rocksdb::ReadOptions options;
  options.fill_cache = false;
  options.readahead_size = kLoadReadaheadBytes;
  const std::unique_ptr<rocksdb::Iterator> at(db_->NewIterator(options, log_));
  for (at->SeekToFirst(); at->Valid(); at->Next()) {
    const std::optional<Revision> revision = ParseRevisionKey(at->key().ToStringView());
    const std::optional<Logged> record = ParseLogged(at->value().ToStringView());
    if (!revision.has_value() || !record.has_value()) {
      return std::unexpected(DamageError(directory_, "a record of the log cannot be read"));
    }
    bool is_good = true;
    if (*revision <= Revision{*compacted}) {
      is_good = !record->is_deletion && index.Restore(std::string(record->key), *revision);
    } else {
      // Every change has its record: a hole is a loss that nothing else would show.
      is_good = Number(*revision) == Number(index.latest()) + 1;
      if (is_good) index.Apply(record->key, record->is_deletion);
    }
    if (!is_good) {
      return std::unexpected(DamageError(
          directory_, fmt::format("after revision {} the log has {}, which cannot come next",
                                  Number(index.latest()), Number(*revision))));
    }
  }
  if (!at->status().ok()) return std::unexpected(ReadError(directory_, at->status()));
  return index;
}

Status RocksEngine::Append(std::span<const Change> changes) {
  PL_TRY(Health());
  rocksdb::WriteBatch batch;
  std::string record;
  const auto put = [&](rocksdb::ColumnFamilyHandle* family, std::string_view key,
                       std::string_view value) { return batch.Put(family, key, value); };
  for (const Change& change : changes) {
    const RevisionKey key(change.revision);
    EncodeLogged({change.key, change.value == nullptr}, record);
    rocksdb::Status status = put(log_, key.text(), record);
    if (status.ok() && change.value != nullptr) status = put(values_, key.text(), *change.value);
    if (!status.ok()) return Fail(Reason::ServiceUnavailable, status.ToString());
  }
  rocksdb::WriteOptions options;
  options.sync = true;
  const rocksdb::Status status = db_->Write(options, &batch);
  if (status.ok()) return {};
  // The changes may lie in the log on disk all the same, and come back when it is next opened.
  health_->Fail(status);
  Error error = WriteError(directory_, status);
  error.reason = Reason::Timeout;
  return std::unexpected(std::move(error));
}

std::unique_ptr<Engine::View> RocksEngine::Snapshot() const {
  return MakeRocksView(*db_, *values_, directory_);
}

Status RocksEngine::Forget(Revision compacted, std::span<const Revision> revisions) {
  PL_TRY(Health());
  rocksdb::WriteBatch batch;
  rocksdb::Status status = batch.Put(meta_, kCompactedKey, std::to_string(Number(compacted)));
  for (const Revision revision : revisions) {
    const RevisionKey key(revision);
    if (status.ok()) status = batch.Delete(log_, key.text());
    if (status.ok()) status = batch.Delete(values_, key.text());
  }
  // Its loss would do no harm, but only the last record of the log may ever be unsynced: see
  // wal_tail.h.
  rocksdb::WriteOptions options;
  options.sync = true;
  if (status.ok()) status = db_->Write(options, &batch);
  if (status.ok()) return {};
  health_->Fail(status);
  return std::unexpected(WriteError(directory_, status));
}

void RocksEngine::Heal() {
  // RocksDB writes out what it holds in memory and begins a new log; thereby what a failed append
  // may have left in the old one is out of the way. It refuses when that would not be safe.
  if (db_->Resume().ok()) health_->Heal();
}

}  // namespace plimsoll::store
