#include "store/rocks_recovery.h"

#include <fmt/format.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "store/rocks_errors.h"
#include "store/rocks_format.h"
#include "store/transfer.h"

namespace plimsoll::store {
namespace {

Error LossError(const std::string& directory, std::string_view what) {
  return {
      Reason::InternalError,
      {},
      fmt::format(
          "the store in {} has lost acknowledged changes: {}. Put the missing files "
          "(*.log, {}) back, or restore a backup. To continue with the remaining changes, start "
          "once with --accept-data-loss",
          directory, what, kAcknowledgedFile)};
}

/// Reads the database's latest and compacted revision, without a scan.
Result<AcknowledgedRevisions> ReadEnd(const RocksDatabase& database) {
  const Revision compacted = PL_TRY(database.ReadCompacted());
  const std::unique_ptr<rocksdb::Iterator> at(database.db().NewIterator({}, database.log()));
  at->SeekToLast();
  if (!at->status().ok()) {
    return std::unexpected(ReadError(database.directory(), at->status()));
  }
  Revision latest = compacted;
  if (at->Valid()) {
    latest = std::max(latest, ParseRevisionKey(at->key().ToStringView()).value_or(kNoRevision));
  }
  return AcknowledgedRevisions{latest, compacted};
}

/// Holds RocksDB's lock file, so that no other process changes the files meanwhile.
class DirectoryLock {
 public:
  static Result<DirectoryLock> Acquire(rocksdb::Env& env, const std::string& directory) {
    rocksdb::FileLock* lock = nullptr;
    const rocksdb::Status status = env.LockFile(directory + "/LOCK", &lock);
    if (!status.ok()) return std::unexpected(OpenError(directory, status));
    return DirectoryLock(env, lock);
  }
  DirectoryLock(DirectoryLock&& other) noexcept
      : env_(other.env_), lock_(std::exchange(other.lock_, nullptr)) {}
  DirectoryLock& operator=(DirectoryLock&&) = delete;
  ~DirectoryLock() {
    if (lock_ != nullptr) env_.UnlockFile(lock_).PermitUncheckedError();
  }

 private:
  DirectoryLock(rocksdb::Env& env, rocksdb::FileLock* lock) : env_(env), lock_(lock) {}

  rocksdb::Env& env_;
  rocksdb::FileLock* lock_;
};

/// Content that is left of a damaged database.
struct Remains {
  std::set<Revision> kept;              // the newest change of each key that has a value
  std::set<Revision> dropped;           // all others, in either family
  std::vector<std::string> unreadable;  // keys of the log family that are no revisions
  Revision latest{};
};

Result<Remains> ReadRemains(const RocksDatabase& database) {
  Remains remains;
  std::map<std::string, Revision, std::less<>> newest;
  remains.latest = database.ReadCompacted().value_or(kNoRevision);
  const std::unique_ptr<rocksdb::Iterator> at(database.db().NewIterator({}, database.log()));
  for (at->SeekToFirst(); at->Valid(); at->Next()) {
    const std::optional<Revision> revision = ParseRevisionKey(at->key().ToStringView());
    if (!revision.has_value()) {
      remains.unreadable.emplace_back(at->key().ToStringView());
      continue;
    }
    remains.latest = std::max(remains.latest, *revision);
    remains.dropped.insert(*revision);
    const std::optional<Logged> record = ParseLogged(at->value().ToStringView());
    if (!record.has_value()) continue;
    if (record->is_deletion) {
      const auto gone = newest.find(record->key);
      if (gone != newest.end()) newest.erase(gone);
    } else {
      newest[std::string(record->key)] = *revision;
    }
  }
  if (!at->status().ok()) return std::unexpected(ReadError(database.directory(), at->status()));

  std::set<Revision> wanted;
  for (const auto& [key, revision] : newest) wanted.insert(revision);
  const std::unique_ptr<rocksdb::Iterator> value(database.db().NewIterator({}, database.values()));
  for (value->SeekToFirst(); value->Valid(); value->Next()) {
    const std::optional<Revision> revision = ParseRevisionKey(value->key().ToStringView());
    if (!revision.has_value()) continue;
    if (wanted.contains(*revision)) {
      remains.kept.insert(*revision);
      remains.dropped.erase(*revision);
    } else {
      remains.dropped.insert(*revision);
    }
  }
  if (!value->status().ok()) {
    return std::unexpected(ReadError(database.directory(), value->status()));
  }
  return remains;
}

}  // namespace

std::string AcknowledgedRevisionsPath(const std::string& directory) {
  return fmt::format("{}/{}", directory, kAcknowledgedFile);
}

Result<std::optional<AcknowledgedRevisions>> ReadAcknowledgedRevisions(
    const std::string& directory) {
  Result<std::optional<AcknowledgedRevisions>> mark =
      AcknowledgedRevisionsFile::Read(AcknowledgedRevisionsPath(directory));
  if (!mark.has_value()) return std::unexpected(LossError(directory, mark.error().message));
  return mark;
}

Status CheckNoDataLoss(const RocksDatabase& database,
                       const std::optional<AcknowledgedRevisions>& mark,
                       const AcknowledgedRevisions& found) {
  const std::string& directory = database.directory();
  if (!mark.has_value()) {
    // The store was written by a version without high-water files.
    if (!PL_TRY(database.ReadMeta(kAcknowledgedKey)).has_value()) return {};
    return std::unexpected(
        LossError(directory, fmt::format("the file {} is missing", kAcknowledgedFile)));
  }
  if (found.latest >= mark->latest && found.compacted >= mark->compacted) return {};
  return std::unexpected(LossError(
      directory, fmt::format("it was at revision {} (compacted {}), and its files end at revision "
                             "{} (compacted {}); a write-ahead log is missing or cut off",
                             Number(mark->latest), Number(mark->compacted), Number(found.latest),
                             Number(found.compacted))));
}

Status CheckNoDataLossReadOnly(const RocksOptions& options,
                               const std::optional<AcknowledgedRevisions>& mark, Logger& logger) {
  rocksdb::Env& env = options.env == nullptr ? *rocksdb::Env::Default() : *options.env;
  const DirectoryLock lock = PL_TRY(DirectoryLock::Acquire(env, options.directory));
  const auto database =
      RocksDatabase::Open(options, RocksDatabase::Mode::ReadOnly,
                          std::make_shared<RocksHealth>(options.directory, logger), logger);
  if (!database.has_value()) return {};
  const Result<AcknowledgedRevisions> found = ReadEnd(**database);
  if (!found.has_value()) return {};
  return CheckNoDataLoss(**database, mark, *found);
}

Status SalvageRocks(const RocksOptions& options, Logger& logger) {
  const auto health = std::make_shared<RocksHealth>(options.directory, logger);
  auto opened = RocksDatabase::Open(options, RocksDatabase::Mode::Salvage, health, logger);
  if (!opened.has_value()) {
    opened = RocksDatabase::Open(options, RocksDatabase::Mode::SalvageAll, health, logger);
  }
  const std::unique_ptr<RocksDatabase> database = PL_TRY(std::move(opened));
  // A store of a newer version is not damaged.
  const std::string format = std::to_string(kRocksFormat);
  if (PL_TRY(database->ReadMeta(kFormatKey)).value_or(format) != format) {
    return Fail(Reason::InternalError,
                fmt::format("the store in {} is of a format that this program does not know; "
                            "--accept-data-loss does not help",
                            options.directory));
  }
  const Remains remains = PL_TRY(ReadRemains(*database));
  const std::optional<AcknowledgedRevisions> mark =
      AcknowledgedRevisionsFile::Read(AcknowledgedRevisionsPath(options.directory))
          .value_or(std::nullopt);
  const Revision seen = std::max(remains.latest, mark.value_or(AcknowledgedRevisions()).latest);
  const Revision to{Number(seen) + kDefaultBump};

  rocksdb::WriteBatch batch;
  rocksdb::Status status = batch.Put(database->meta(), kCompactedKey, std::to_string(Number(to)));
  for (const std::string& key : remains.unreadable) {
    if (status.ok()) status = batch.Delete(database->log(), key);
  }
  for (const Revision revision : remains.dropped) {
    const RevisionKey key(revision);
    if (status.ok()) status = batch.Delete(database->log(), key.text());
    if (status.ok()) status = batch.Delete(database->values(), key.text());
  }
  rocksdb::WriteOptions synced;
  synced.sync = true;
  if (status.ok()) {
    status = batch.Put(database->meta(), kFormatKey, std::to_string(kRocksFormat));
  }
  if (status.ok()) status = database->db().Write(synced, &batch);
  if (!status.ok()) return std::unexpected(OpenError(options.directory, status));
  PL_TRY(AcknowledgedRevisionsFile::Open(AcknowledgedRevisionsPath(options.directory), {to, to}));
  PL_LOG(logger, Warning(), "Accepted the loss of acknowledged changes",
         {"directory", options.directory}, {"keysLeft", remains.kept.size()},
         {"lastRevisionLeft", Number(remains.latest)}, {"lastRevisionBefore", Number(seen)},
         {"revisionNow", Number(to)});
  return {};
}

}  // namespace plimsoll::store
