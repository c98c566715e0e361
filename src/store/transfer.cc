#include "store/transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/file.h"
#include "store/limits.h"
#include "store/snapshot_format.h"

namespace plimsoll::store {
namespace {

constexpr std::size_t kPageRecords = 5'000;

/// Runs many writes concurrently and keeps the first error.
class Writers {
 public:
  explicit Writers(Store& store) : store_(store) {}

  void Put(const Record& record) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return in_flight_ < kTransferWritesMax; });
      if (error_.has_value()) return;
      ++in_flight_;
    }
    store_.Commit({record.key, record.value, kNoRevision}, [this](const Result<Revision>& result) {
      const std::lock_guard lock(mutex_);
      --in_flight_;
      if (!result.has_value() && !error_.has_value()) error_ = result.error();
      changed_.notify_all();
    });
  }
  Status Finish() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return in_flight_ == 0; });
    if (error_.has_value()) return std::unexpected(*error_);
    return {};
  }

 private:
  Store& store_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t in_flight_ = 0;
  std::optional<Error> error_;
};

/// Calls `take` with each page of the store at one revision (kNoRevision: the latest), and returns
/// that revision. Calls `on_transfer` after each page.
template <class Take>
Result<Revision> ReadPages(Store& from, Revision at, Take take,
                           const OnTransfer& on_transfer = {}) {
  // Only the first page counts the rest, because each count reads all keys.
  RangeRequest request{.limit = kPageRecords, .at = at, .counts_remaining = on_transfer != nullptr};
  std::size_t done = 0;
  std::size_t total = 0;
  while (true) {
    const Range page = PL_TRY(from.List(request));
    if (done == 0) total = page.records.size() + page.remaining;
    PL_TRY(take(std::span<const Record>(page.records)));
    done += page.records.size();
    if (on_transfer) on_transfer(done, std::max(done, total));
    if (!page.has_more) return page.at;
    request.after = page.records.back().key;
    request.at = page.at;
    request.counts_remaining = false;
  }
}

Result<std::size_t> CountRecords(Store& store) {
  std::size_t count = 0;
  const auto take = [&](std::span<const Record> records) -> Status {
    count += static_cast<std::size_t>(
        std::ranges::count_if(records, [](const Record& one) { return IsContent(one.key); }));
    return {};
  };
  static_cast<void>(PL_TRY(ReadPages(store, kNoRevision, take)));
  return count;
}

Status CheckEmpty(Store& to) {
  const std::size_t there = PL_TRY(CountRecords(to));
  if (there == 0) return {};
  return Fail(Reason::Conflict,
              fmt::format("the target holds {} objects already; it must be empty", there));
}

Status CheckCount(Store& to, std::size_t wanted) {
  const std::size_t found = PL_TRY(CountRecords(to));
  if (found == wanted) return {};
  return Fail(Reason::InternalError,
              fmt::format("{} objects were written, but the target holds {}", wanted, found));
}

/// Returns the target's new revision. Both numbers may come from a file or a command line.
Result<Revision> Bumped(Revision base, std::int64_t bump) {
  // Half of the range stays free for later writes.
  constexpr std::int64_t kRevisionMax = std::numeric_limits<std::int64_t>::max() / 2;
  const std::int64_t number = Number(base);
  if (number < 0 || bump < 0 || number > kRevisionMax - bump || bump > kRevisionMax) {
    return Fail(Reason::Invalid,
                fmt::format("revision {} cannot be bumped by {}: revisions end at {}", number, bump,
                            kRevisionMax));
  }
  return Revision{number + bump};
}

/// Raises the revision of the empty target beyond the source's. This precedes the objects, so that
/// no resourceVersion is used twice.
Status RaiseRevision(Store& to, Revision source, std::int64_t bump) {
  static_cast<void>(PL_TRY(Bumped(source, bump)));
  const Revision now = PL_TRY(to.ReadLatest());
  const Revision wanted = PL_TRY(Bumped(std::max(source, now), bump));
  if (wanted > now) return to.BumpRevision(wanted);
  return {};
}

/// Checks that all records are there, compacts the history, and returns the target's revision.
Result<Revision> Conclude(Store& to, std::size_t records) {
  PL_TRY(CheckCount(to, records));
  const Revision reached = PL_TRY(to.ReadLatest());
  PL_TRY(to.Compact(reached));
  return reached;
}

}  // namespace

Result<Transferred> CopyStore(Store& from, Store& to, std::int64_t bump,
                              const OnTransfer& on_transfer) {
  PL_TRY(CheckEmpty(to));
  Transferred done;
  done.at = PL_TRY(from.ReadLatest());
  PL_TRY(RaiseRevision(to, done.at, bump));
  Writers writers(to);
  const auto copy = [&](std::span<const Record> records) -> Status {
    for (const Record& record : records) {
      if (!IsContent(record.key)) continue;
      writers.Put(record);
      ++done.records;
    }
    return {};
  };
  const Result<Revision> read = ReadPages(from, done.at, copy, on_transfer);
  PL_TRY(writers.Finish());
  static_cast<void>(PL_TRY(read));
  done.reached = PL_TRY(Conclude(to, done.records));
  return done;
}

Result<Transferred> SaveSnapshot(Store& from, const std::string& path,
                                 const OnTransfer& on_transfer) {
  SnapshotWriter writer;
  Transferred done;
  const auto add = [&](std::span<const Record> records) -> Status {
    for (const Record& record : records) {
      if (!IsContent(record.key)) continue;
      writer.Add(record.key, *record.value);
      ++done.records;
    }
    return {};
  };
  done.at = PL_TRY(ReadPages(from, kNoRevision, add, on_transfer));
  PL_TRY(WriteFile(path, writer.Finish(done.at)));
  done.reached = done.at;
  return done;
}

Result<Transferred> RestoreSnapshot(const std::string& path, Store& to, std::int64_t bump,
                                    const OnTransfer& on_transfer) {
  const std::string text = PL_TRY(ReadFile(path));
  const Snapshot snapshot = PL_TRY(ReadSnapshot(text));
  PL_TRY(CheckEmpty(to));
  PL_TRY(RaiseRevision(to, snapshot.at, bump));
  Writers writers(to);
  std::size_t done = 0;
  for (const auto& [key, value] : snapshot.entries) {
    writers.Put({std::string(key), MakeBytes(std::string(value)), kNoRevision});
    if (on_transfer) on_transfer(++done, snapshot.entries.size());
  }
  PL_TRY(writers.Finish());
  const Revision reached = PL_TRY(Conclude(to, snapshot.entries.size()));
  return Transferred{snapshot.entries.size(), snapshot.at, reached};
}

}  // namespace plimsoll::store
