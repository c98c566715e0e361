#include "store/rocks_engine.h"

#include <fmt/format.h>
#include <rocksdb/db.h>

#include <algorithm>
#include <utility>

#include "base/file.h"
#include "store/rocks_errors.h"
#include "store/rocks_format.h"
#include "store/rocks_index.h"
#include "store/rocks_recovery.h"
#include "store/rocks_view.h"

namespace plimsoll::store {
namespace {

/// Returns false if the database is empty, without a format. InternalError: unknown format.
Result<bool> HasKnownFormat(const RocksDatabase& database) {
  const std::optional<std::string> format = PL_TRY(database.ReadMeta(kFormatKey));
  if (format.has_value()) {
    if (*format == std::to_string(kRocksFormat)) return true;
    return Fail(
        Reason::InternalError,
        fmt::format("the store in {} is of format {}, and this program knows format {} only: use "
                    "the version that wrote it, or another directory",
                    database.directory(), *format, kRocksFormat));
  }
  const std::unique_ptr<rocksdb::Iterator> at(database.db().NewIterator({}, database.log()));
  at->SeekToFirst();
  if (at->Valid() || !at->status().ok()) {
    return std::unexpected(DamageError(database.directory(), "it has changes, but no format"));
  }
  return false;
}

}  // namespace

/// Result of opening a database.
struct RocksEngine::Parts {
  std::shared_ptr<RocksHealth> health;
  std::unique_ptr<RocksDatabase> database;
  VersionIndex index;
  AcknowledgedRevisionsFile acknowledged_file;
};

Result<RocksEngine::Parts> RocksEngine::OpenParts(const RocksOptions& options, Logger& logger) {
  const std::string& directory = options.directory;
  const bool is_there = PL_TRY(HasRocksDatabase(options));
  if (!is_there && !options.creates_if_missing) {
    return Fail(
        Reason::NotFound,
        fmt::format("there is no store in {}: check the path; nothing was created", directory));
  }
  PL_TRY(MakeDirectory(directory));
  const std::optional<AcknowledgedRevisions> mark = PL_TRY(ReadAcknowledgedRevisions(directory));
  if (is_there) PL_TRY(CheckNoDataLossReadOnly(options, mark, logger));
  auto health = std::make_shared<RocksHealth>(directory, logger);
  std::unique_ptr<RocksDatabase> database =
      PL_TRY(RocksDatabase::Open(options, RocksDatabase::Mode::ReadWrite, health, logger));
  const bool has_format = PL_TRY(HasKnownFormat(*database));
  VersionIndex index = PL_TRY(ReadRocksIndex(*database));
  const AcknowledgedRevisions found{index.latest(), index.compacted()};
  PL_TRY(CheckNoDataLoss(*database, mark, found));
  if (!has_format) PL_TRY(database->WriteMeta(kFormatKey, std::to_string(kRocksFormat)));
  // The file comes first: once the database says that it must exist, it does.
  AcknowledgedRevisionsFile file =
      PL_TRY(AcknowledgedRevisionsFile::Open(AcknowledgedRevisionsPath(directory), found));
  if (!PL_TRY(database->ReadMeta(kAcknowledgedKey)).has_value()) {
    PL_TRY(database->WriteMeta(kAcknowledgedKey, "1"));
  }
  return Parts{std::move(health), std::move(database), std::move(index), std::move(file)};
}

Result<RocksEngine::Opened> RocksEngine::Open(const RocksOptions& options, Clock& clock,
                                              Logger& logger, MetricsRegistry* metrics) {
  const auto start = [&](Parts parts) {
    std::unique_ptr<RocksEngine> engine(new RocksEngine(parts, options, clock, logger, metrics));
    return Opened{std::move(engine), std::move(parts.index)};
  };
  Result<Parts> parts = OpenParts(options, logger);
  if (parts.has_value()) return start(*std::move(parts));
  if (!options.accepts_data_loss || parts.error().reason != Reason::InternalError) {
    return std::unexpected(std::move(parts.error()));
  }
  PL_LOG(logger, Error(parts.error()), "Opening the store although changes are lost");
  PL_TRY(SalvageRocks(options, logger));
  return start(PL_TRY(OpenParts(options, logger)));
}

RocksEngine::RocksEngine(Parts& parts, const RocksOptions& options, Clock& clock, Logger& logger,
                         MetricsRegistry* metrics)
    : health_(std::move(parts.health)),
      database_(std::move(parts.database)),
      acknowledged_file_(std::move(parts.acknowledged_file)),
      acknowledged_{parts.index.latest(), parts.index.compacted()},
      quota_(options.quota_bytes, directory(), logger, metrics),
      scrub_(*database_, options.scrub_bytes_per_second, clock, logger, metrics) {
  MeasureSpace();
  maintenance_.emplace(clock, options.scrub_interval, MaintenanceWork());
}

RocksEngine::~RocksEngine() { maintenance_.reset(); }

RocksMaintenance::Work RocksEngine::MaintenanceWork() {
  return {.is_space_short =
              [this] {
                MeasureSpace();
                return !quota_.Check().has_value();
              },
          .sync = [this] { acknowledged_file_.Sync(); },
          .reclaim =
              [this] {
                // The next measurement shows the effect.
                [[maybe_unused]] const Status status = Defragment();
              },
          .scrub = [this] { scrub_.Run(); },
          .stop = [this] { scrub_.Stop(); }};
}

void RocksEngine::MeasureSpace() {
  std::uint64_t bytes = 0;
  for (const std::string& property : {rocksdb::DB::Properties::kLiveSstFilesSize,
                                      rocksdb::DB::Properties::kCurSizeAllMemTables}) {
    std::uint64_t part = 0;
    if (database_->db().GetAggregatedIntProperty(property, &part)) bytes += part;
  }
  quota_.Measured(bytes);
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
    rocksdb::Status status = put(database_->log(), key.text(), record);
    if (status.ok() && change.value != nullptr) {
      status = put(database_->values(), key.text(), *change.value);
    }
    if (!status.ok()) return Fail(Reason::ServiceUnavailable, status.ToString());
  }
  rocksdb::WriteOptions options;
  options.sync = true;
  const rocksdb::Status status = database_->db().Write(options, &batch);
  if (status.ok()) {
    acknowledged_.latest = changes.back().revision;
    acknowledged_file_.Write(acknowledged_);
    quota_.Wrote(batch.GetDataSize());
    return {};
  }
  // The changes may be in the log on disk anyway, and reappear at the next opening.
  health_->Fail(status);
  Error error = WriteError(directory(), status);
  error.reason = Reason::Timeout;
  return std::unexpected(std::move(error));
}

std::unique_ptr<Engine::View> RocksEngine::Snapshot() const {
  return MakeRocksView(database_->db(), *database_->values(), directory());
}

Status RocksEngine::Compact(Revision compacted, std::span<const Revision> revisions) {
  PL_TRY(Health());
  rocksdb::WriteBatch batch;
  rocksdb::Status status =
      batch.Put(database_->meta(), kCompactedKey, std::to_string(Number(compacted)));
  for (const Revision revision : revisions) {
    const RevisionKey key(revision);
    if (status.ok()) status = batch.Delete(database_->log(), key.text());
    if (status.ok()) status = batch.Delete(database_->values(), key.text());
  }
  // Losing this write would do no harm, but only the last record of the log may ever be unsynced:
  // see wal_tail.h.
  rocksdb::WriteOptions options;
  options.sync = true;
  if (status.ok()) status = database_->db().Write(options, &batch);
  if (status.ok()) {
    acknowledged_ = {std::max(acknowledged_.latest, compacted), compacted};
    acknowledged_file_.Write(acknowledged_);
    return {};
  }
  health_->Fail(status);
  return std::unexpected(WriteError(directory(), status));
}

Status RocksEngine::Defragment() {
  const std::vector<rocksdb::ColumnFamilyHandle*> families = {database_->meta(), database_->log(),
                                                              database_->values()};
  // Flush all at once, so that no family retains the logs of the others.
  rocksdb::Status status = database_->db().Flush({}, families);
  rocksdb::CompactRangeOptions options;
  options.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForceOptimized;
  for (rocksdb::ColumnFamilyHandle* family : families) {
    if (status.ok()) status = database_->db().CompactRange(options, family, nullptr, nullptr);
  }
  if (!status.ok()) return std::unexpected(WriteError(directory(), status));
  return {};
}

void RocksEngine::Recover() {
  // RocksDB flushes its memtables and begins a new log. It never replays the old one, whatever a
  // failed append left there. It refuses if that would not be safe.
  if (database_->db().Resume().ok()) health_->Recover();
}

}  // namespace plimsoll::store
