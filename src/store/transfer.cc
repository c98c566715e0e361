#include "store/transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/file.h"
#include "store/snapshot_format.h"

namespace plimsoll::store {
namespace {

constexpr std::size_t kPageRecords = 5'000;

/// Many writes on their way at once; the first fault is kept.
class Writers {
 public:
  explicit Writers(Store& store) : store_(store) {}

  void Put(const Record& record) {
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return in_flight_ < kInFlightMax; });
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
  static constexpr std::size_t kInFlightMax = 256;

  Store& store_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t in_flight_ = 0;
  std::optional<Error> error_;
};

/// Calls `take` with page after page of one picture, and returns its revision.
template <class Take>
Result<Revision> ReadPages(Store& from, Take take) {
  RangeRequest request{.limit = kPageRecords, .counts_remaining = false};
  while (true) {
    const Range page = PL_TRY(from.List(request));
    PL_TRY(take(std::span<const Record>(page.records)));
    if (!page.has_more) return page.at;
    request.after = page.records.back().key;
    request.at = page.at;
  }
}

Result<std::size_t> CountRecords(Store& store) {
  std::size_t count = 0;
  PL_TRY(ReadPages(store, [&](std::span<const Record> records) -> Status {
    count += static_cast<std::size_t>(
        std::ranges::count_if(records, [](const Record& one) { return IsContent(one.key); }));
    return {};
  }));
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

}  // namespace

Result<Transferred> CopyStore(Store& from, Store& to) {
  PL_TRY(CheckEmpty(to));
  Transferred done;
  Writers writers(to);
  const Result<Revision> at = ReadPages(from, [&](std::span<const Record> records) -> Status {
    for (const Record& record : records) {
      if (!IsContent(record.key)) continue;
      writers.Put(record);
      ++done.records;
    }
    return {};
  });
  PL_TRY(writers.Finish());
  done.at = PL_TRY(at);
  PL_TRY(CheckCount(to, done.records));
  return done;
}

Result<Transferred> SaveSnapshot(Store& from, const std::string& path) {
  SnapshotWriter writer;
  Transferred done;
  done.at = PL_TRY(ReadPages(from, [&](std::span<const Record> records) -> Status {
    for (const Record& record : records) {
      if (!IsContent(record.key)) continue;
      writer.Add(record.key, *record.value);
      ++done.records;
    }
    return {};
  }));
  PL_TRY(WriteFile(path, writer.Finish(done.at)));
  return done;
}

Result<Transferred> RestoreSnapshot(const std::string& path, Store& to) {
  const std::string text = PL_TRY(ReadFile(path));
  const Snapshot snapshot = PL_TRY(ReadSnapshot(text));
  PL_TRY(CheckEmpty(to));
  Writers writers(to);
  for (const auto& [key, value] : snapshot.entries) {
    writers.Put({std::string(key), MakeBytes(std::string(value)), kNoRevision});
  }
  PL_TRY(writers.Finish());
  PL_TRY(CheckCount(to, snapshot.entries.size()));
  return Transferred{snapshot.entries.size(), snapshot.at};
}

}  // namespace plimsoll::store
