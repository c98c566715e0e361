#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/payload.h"
#include "base/result.h"
#include "store/limits.h"

namespace plimsoll::store {

/// Position of a change in the total order of changes. The first is 1; 0 is before all of them.
enum class Revision : std::int64_t {};

inline constexpr Revision kNoRevision{0};

constexpr std::int64_t Number(Revision revision) { return static_cast<std::int64_t>(revision); }

/// A key with its value.
struct Record {
  std::string key;
  Bytes value;
  Revision revision{};  // of the change that wrote it
};

/// One committed change of a key.
struct Change {
  Revision revision{};
  std::string key;
  Bytes value;   // null: the key was deleted
  Bytes before;  // null: the key was created, or no sink reads it
  Revision before_revision{};
  PayloadPtr payload = {};  // that of the Write; null for changes of others and past changes
};

/// A compare-and-swap: changes a key if it is still at the expected revision.
struct Write {
  std::string key;
  Bytes value;          // null: delete the key
  Revision expected{};  // revision the key must have; kNoRevision: it must not exist
  /// Decoded form of the value. Watches of this process get it with the change, so that they need
  /// not decode the value again.
  PayloadPtr payload = {};
};

struct RangeRequest {
  std::string prefix;         // only keys with this prefix, in ascending order
  std::string after;          // only keys greater than this one; empty: from the first
  std::size_t limit = 0;      // 0: all
  Revision at = kNoRevision;  // as of this revision; kNoRevision: the latest
  /// True: count the keys beyond the limit, which costs a walk over them.
  bool counts_remaining = true;
};

struct Range {
  std::vector<Record> records;
  bool has_more = false;
  std::size_t remaining = 0;  // number of further keys; 1 if has_more but not counted
  Revision at{};              // revision of which this is a snapshot
};

/// Receives the changes of a watch. Calls come from a thread of the store, one at a time, in
/// revision order. A sink must not block on the store. It gets a change before the writer gets its
/// answer, so that a writer finds its own change in every cache that a watch feeds.
class ChangeSink {
 public:
  virtual ~ChangeSink() = default;
  /// Returns true if the sink needs `before` of live changes, which may cost a disk read each.
  /// Replayed changes always have it. The answer must never change.
  virtual bool ReadsBefore() const { return true; }
  /// Delivers at least one change.
  virtual void OnChanges(std::span<const Change> changes) = 0;
  /// Called last: the watch fell behind the kept history (Expired), or the store failed or is
  /// closing (ServiceUnavailable).
  virtual void OnEnd(const Error& error) = 0;
};

/// A running watch. The destructor ends it and blocks until no call of the sink is running.
class Watch {
 public:
  virtual ~Watch() = default;
};

using CommitDone = std::move_only_function<void(Result<Revision>)>;

/// History that the store keeps at least. Older revisions may be compacted in the background.
struct HistoryBounds {
  std::int64_t changes_min = 10'000;
  std::int64_t changes_max = kHistoryChangesMax;  // hard limit, even for younger changes
  std::int64_t seconds_min = 300;
};

/// A revisioned key-value store. Every change gets the next revision. A write is applied only if
/// its key is at the expected revision. A watch delivers every change once, in order.
///
/// Every implementation must pass store_contract_for_test.h. Safe for use by many threads.
class Store {
 public:
  virtual ~Store() = default;

  /// Applies the write; when it is durable, calls `done` once, on a thread of the store. Concurrent
  /// writes share a sync. Conflict: wrong revision. ServiceUnavailable: the store cannot write now
  /// (disk full, failed sync); nothing was changed. Timeout: the outcome is unknown. Invalid: empty
  /// key, or deletion of a key expected not to exist.
  virtual void Commit(Write write, CommitDone done) = 0;
  /// Commits and blocks until it is done. Must not be called from a ChangeSink or a CommitDone.
  Result<Revision> CommitAndWait(Write write);
  /// Commits all writes concurrently, so that they share syncs. Returns one result per write.
  std::vector<Result<Revision>> CommitAllAndWait(std::vector<Write> writes);

  /// Returns the key's latest value, or nothing if there is no such key.
  virtual Result<std::optional<Record>> Get(std::string_view key) = 0;
  /// Lists keys at one revision. Expired: `at` is compacted. Timeout: `at` is in the future.
  virtual Result<Range> List(const RangeRequest& request) = 0;

  /// Delivers every change after `after` of keys with this prefix. Expired: some of them are
  /// compacted. Timeout: `after` is in the future. A watch that starts thousands of changes back
  /// may, until it has caught up, get a change after its writer got the answer.
  virtual Result<std::unique_ptr<Watch>> WatchFrom(std::string prefix, Revision after,
                                                   ChangeSink& sink) = 0;

  /// Drops all values that were replaced or deleted at or before `revision`. Timeout: it is in the
  /// future. Must not be called from a ChangeSink or a CommitDone.
  virtual Status Compact(Revision revision) = 0;

  /// Raises the store's revision to `revision` or slightly more, changes no key, and drops all
  /// history: lists and watches at an older revision get Expired. For a store that was just filled
  /// from elsewhere, so that no revision is handed out twice. Invalid: not greater than latest().
  /// REQUIRES: no server uses the store meanwhile. Must not be called from a ChangeSink or a
  /// CommitDone.
  virtual Status BumpRevision(Revision revision) = 0;

  /// Returns the latest change that this store has made or seen.
  virtual Revision latest() const = 0;
  /// Returns the latest revision of the whole store, including other servers' writes: every change
  /// acknowledged before the call is in it. A watch of all keys will report this revision or a
  /// later one. Blocks if the store is remote.
  virtual Result<Revision> ReadLatest() { return latest(); }
  /// Returns how many changes back a watch may start and still catch up at once.
  virtual std::int64_t QuickHistory() const { return 50'000; }
  /// Returns true if other processes may write to the store, too.
  virtual bool IsShared() const { return false; }
  /// Returns the oldest revision at which a watch can start or a list can read.
  virtual Revision compacted() const = 0;

  /// Returns the disk space of compacted revisions, so that no compacted data remains in the files.
  /// Takes long. Does nothing if the store is remote.
  virtual Status Defragment() { return {}; }

  /// Returns an error if writes fail now, with advice for the operator.
  virtual Status Health() const = 0;
  /// Returns InternalError while the store is over its quota. Then writes other than deletions get
  /// the same error.
  virtual Status Space() const { return {}; }
};

}  // namespace plimsoll::store
