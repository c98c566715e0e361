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
#include "base/result.h"

namespace plimsoll::store {

/// The place of a change in the one order of all changes. The first is 1; 0 is before all of them.
enum class Revision : std::int64_t {};

inline constexpr Revision kNoRevision{0};

constexpr std::int64_t Number(Revision revision) { return static_cast<std::int64_t>(revision); }

/// A key with what it holds.
struct Record {
  std::string key;
  Bytes value;
  Revision revision{};  // of the change that made it so
};

/// One thing that happened.
struct Change {
  Revision revision{};
  std::string key;
  Bytes value;   // null: the key was deleted
  Bytes before;  // null: the key was created, or no sink reads it
  Revision before_revision{};
};

/// One thing that shall happen, provided that the key is as the writer saw it.
struct Write {
  std::string key;
  Bytes value;          // null: delete it
  Revision expected{};  // what the key's revision must be; kNoRevision: it must not exist
};

struct RangeRequest {
  std::string prefix;         // keys that begin so, in their order
  std::string after;          // only keys behind this one; empty: from the first
  std::size_t limit = 0;      // 0: all
  Revision at = kNoRevision;  // as of this revision; kNoRevision: the latest
  /// Whether to count what remains behind the limit, which costs a walk over it.
  bool counts_remaining = true;
};

struct Range {
  std::vector<Record> records;
  bool has_more = false;
  std::size_t remaining = 0;  // how many more there are; 1 when has_more but nobody counted
  Revision at{};              // what it is a picture of
};

/// What a watch calls. On a thread of the store's, one call at a time, in the order of revisions;
/// it must not wait for the store. For a writer's own change it is called before the writer is
/// told, so that whoever has its answer finds the change in everything that is fed from here.
class ChangeSink {
 public:
  virtual ~ChangeSink() = default;
  /// Whether it reads `before` of changes that happen while it watches, which may cost a read of
  /// the disk for each; those of the past always have it. One answer for all time.
  virtual bool ReadsBefore() const { return true; }
  /// At least one change.
  virtual void OnChanges(std::span<const Change> changes) = 0;
  /// Nothing more will come: the watch fell behind what is kept (Expired), or the store failed or
  /// is closing (ServiceUnavailable).
  virtual void OnEnd(const Error& error) = 0;
};

/// A running watch. Its end, by destruction, waits until no call is being made.
class Watch {
 public:
  virtual ~Watch() = default;
};

using CommitDone = std::move_only_function<void(Result<Revision>)>;

/// What is kept of the past, at least; older revisions may be compacted away in the background.
struct HistoryBounds {
  std::int64_t changes_min = 10'000;
  std::int64_t changes_max = 1'000'000;  // beyond them even younger ones go
  std::int64_t seconds_min = 300;
};

/// A revisioned key-value store: every change gets the next revision, a change is applied only when
/// its key is as the writer expects it, and whoever watches sees all changes once, in order.
///
/// Whatever passes store_contract.h is a Store. Safe for use by many threads.
class Store {
 public:
  virtual ~Store() = default;

  /// Applies the write and calls `done` once, on a thread of the store's, when it is durable; many
  /// writes in flight share one sync. Conflict: the key is not as expected; ServiceUnavailable: the
  /// store cannot write now (disk full, failed sync), and nothing was changed; Timeout: nobody
  /// knows whether it was; Invalid: an empty key, or the deletion of what is expected not to exist.
  virtual void Commit(Write write, CommitDone done) = 0;
  /// The same, and waits. Not to be called from a ChangeSink or a CommitDone.
  Result<Revision> CommitAndWait(Write write);
  /// All of them at one time, so that they share their syncs; a result for each.
  std::vector<Result<Revision>> CommitAllAndWait(std::vector<Write> writes);

  /// The key's latest value, or nothing.
  virtual Result<std::optional<Record>> Get(std::string_view key) = 0;
  /// Expired: `at` is compacted. Timeout: `at` lies in the future.
  virtual Result<Range> List(const RangeRequest& request) = 0;

  /// Delivers every change of keys with that prefix after the revision. Expired: some of those are
  /// compacted. Timeout: the revision lies in the future. A watch that begins thousands of changes
  /// back may, until it has caught up, hear of a change after its writer does.
  virtual Result<std::unique_ptr<Watch>> WatchFrom(std::string prefix, Revision after,
                                                   ChangeSink& sink) = 0;

  /// Forgets what was overwritten or deleted at or before the revision. Timeout: that lies in the
  /// future. Not to be called from a ChangeSink or a CommitDone.
  virtual Status Compact(Revision revision) = 0;

  /// Raises the store's revision to `revision` or a little beyond, without a change of any key, and
  /// forgets all history: lists and watches that name an older revision get Expired. For a store
  /// that was just filled from elsewhere, so that no revision is handed out twice. Invalid: it is
  /// not greater than latest(). REQUIRES: no server uses the store meanwhile. Not to be called from
  /// a ChangeSink or a CommitDone.
  virtual Status BumpRevision(Revision revision) = 0;

  /// The latest change that this store has made or seen.
  virtual Revision latest() const = 0;
  /// The latest change of all, whoever made it: whatever anybody was told before is in it. A watch
  /// of everything will tell of that revision or of a later one. It waits where the store is
  /// elsewhere.
  virtual Result<Revision> ReadLatest() { return latest(); }
  /// How many changes back a watch may begin and still catch up at once.
  virtual std::int64_t QuickHistory() const { return 50'000; }
  /// Whether others, of other processes, may write to it too.
  virtual bool IsShared() const { return false; }
  /// Watches can start here, and lists be read here, but not before.
  virtual Revision compacted() const = 0;

  /// Gives the space of what was compacted back to the disk, so that nothing of it is left in the
  /// store's files. Takes long. Nothing happens where the store is elsewhere.
  virtual Status Defragment() { return {}; }

  /// An error when writes fail now, with what an operator can do about it.
  virtual Status Health() const = 0;
  /// InternalError while the store is over its quota: writes other than deletions get the same
  /// error.
  virtual Status Space() const { return {}; }
};

}  // namespace plimsoll::store
