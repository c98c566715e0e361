#pragma once

#include <atomic>
#include <cstddef>
#include <expected>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/async.h"
#include "base/clock.h"
#include "base/log.h"
#include "store/commit_metrics.h"
#include "store/compaction_schedule.h"
#include "store/etcd/health.h"
#include "store/etcd/key_map.h"
#include "store/etcd/loop.h"
#include "store/etcd/rpc.h"
#include "store/etcd/shared_read.h"
#include "store/etcd/watches.h"
#include "store/etcd/writes.h"
#include "store/store.h"

namespace plimsoll::store::etcd {

/// A Store on etcd, over any Rpc. Mutable state belongs to the loop's thread. Reads block the
/// calling thread until etcd answers.
class RemoteStore final : public Store {
 public:
  /// REQUIRES: `rpc` answers on the loop. `metrics` may be null.
  RemoteStore(std::shared_ptr<Loop> loop, std::unique_ptr<Rpc> rpc, KeyMap keys,
              HistoryBounds history, Clock& clock, Logger& logger,
              std::unique_ptr<CommitMetrics> metrics);
  /// Blocks until all requested writes are answered.
  ~RemoteStore() override;
  RemoteStore(const RemoteStore&) = delete;
  RemoteStore& operator=(const RemoteStore&) = delete;

  /// Reads etcd's current and compacted revision. Must be called once, first.
  Status Start();

  void Commit(Write write, CommitDone done) override;
  Result<std::optional<Record>> Get(std::string_view key) override;
  Result<Range> List(const RangeRequest& request) override;
  Result<std::unique_ptr<Watch>> WatchFrom(std::string prefix, Revision after,
                                           ChangeSink& sink) override;
  Status Compact(Revision revision) override;
  /// Returns Invalid: etcd has no such call. OffsetStore implements it.
  Status BumpRevision(Revision revision) override;
  Result<Revision> ReadLatest() override;
  bool IsShared() const override { return true; }
  /// etcd sends a lagging watch 1,000 changes ten times a second, and rereads the whole rest each
  /// time. A client that switches servers is seconds behind, not minutes.
  std::int64_t QuickHistory() const override { return 10'000; }
  Revision latest() const override { return latest_.load(std::memory_order_acquire); }
  Revision compacted() const override { return compacted_.load(std::memory_order_acquire); }
  Status Health() const override { return health_.Get(); }

 private:
  class Handle;

  /// Reads and blocks until etcd answers. Retries after transient faults.
  std::expected<ReadReply, Fault> Read(ReadRequest request);
  ReadRequest NothingAt(Revision at) const;
  /// Reads no key at `at`. Fails if that revision is not readable, else returns etcd's revision.
  std::expected<Revision, Fault> ReadRevision(Revision at);
  /// Returns the revision up to which etcd is compacted.
  Result<Revision> ReadCompacted();
  Error ErrorOfRead(const Fault& fault, Revision at);
  Result<Range> ListPages(const RangeRequest& request, const KeyRange& keys);
  /// Writes the position key, unless `revision` is known to be ours. Loop's thread only.
  void MarkPosition(Revision revision, std::move_only_function<void()> done);
  /// Calls MarkPosition after kMarkDelay, when watches had time to see it. Loop's thread only.
  void MarkPositionLater(Revision revision);

  void OnTimer(Instant now);
  using CompactionDone = std::move_only_function<void(std::expected<void, Fault>)>;
  /// Loop's thread only.
  void StartCompaction(Revision revision, CompactionDone done);
  void OnAnswer(WriteAnswer answer);
  void OnSeen(WriteAnswer answer);
  void Finish(WriteAnswer answer);

  const std::shared_ptr<Loop> loop_;
  const std::unique_ptr<Rpc> rpc_;
  const KeyMap keys_;
  Clock& clock_;
  Logger& logger_;
  const std::unique_ptr<CommitMetrics> metrics_;
  etcd::Health health_;
  std::atomic<Revision> latest_{kNoRevision};     // latest change of ours; at first etcd's revision
  std::atomic<Revision> reachable_{kNoRevision};  // latest revision known to be a change of ours
  std::atomic<Revision> compacted_{kNoRevision};
  CompactionSchedule schedule_;
  std::optional<Periodic> timer_;

  // Used by the loop's thread only.
  Writes writes_;
  Watches watches_;
  SharedRead latest_reads_;
  bool is_mark_due_ = false;
  std::size_t compactions_ = 0;    // in flight
  std::vector<WriteAnswer> held_;  // answers that wait for the compactions
  std::size_t writing_ = 0;        // writes without an answer yet
  std::move_only_function<void()> when_idle_;
};

}  // namespace plimsoll::store::etcd
