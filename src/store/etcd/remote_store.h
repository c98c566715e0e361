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

#include "base/clock.h"
#include "base/log.h"
#include "base/periodic.h"
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

/// A store whose engine is etcd, whichever way that is spoken to. What changes over time is of the
/// loop's thread; readers wait for theirs where they are.
class RemoteStore final : public Store {
 public:
  /// Of an Rpc that answers on the loop. `metrics` may be null.
  RemoteStore(std::shared_ptr<Loop> loop, std::unique_ptr<Rpc> rpc, KeyMap keys,
              HistoryBounds history, Clock& clock, Logger& logger,
              std::unique_ptr<CommitMetrics> metrics);
  /// Waits for the writes that were asked for.
  ~RemoteStore() override;
  RemoteStore(const RemoteStore&) = delete;
  RemoteStore& operator=(const RemoteStore&) = delete;

  /// Finds out where etcd stands. Once, before anything else.
  Status Start();

  void Commit(Write write, CommitDone done) override;
  Result<std::optional<Record>> Get(std::string_view key) override;
  Result<Range> List(const RangeRequest& request) override;
  Result<std::unique_ptr<Watch>> WatchFrom(std::string prefix, Revision after,
                                           ChangeSink& sink) override;
  Status Compact(Revision revision) override;
  /// Invalid: etcd has no such call; OffsetStore does it.
  Status BumpRevision(Revision revision) override;
  Result<Revision> ReadLatest() override;
  bool IsShared() const override { return true; }
  /// etcd hands out a thousand of them ten times a second, and reads all that are left for each
  /// thousand. Who comes over from another server is seconds behind, not minutes.
  std::int64_t QuickHistory() const override { return 10'000; }
  Revision latest() const override { return latest_.load(std::memory_order_acquire); }
  Revision compacted() const override { return compacted_.load(std::memory_order_acquire); }
  Status Health() const override { return health_.Get(); }

 private:
  class Handle;

  /// Reads, again after what passes, and waits for it.
  std::expected<ReadReply, Fault> Read(ReadRequest request);
  ReadRequest NothingAt(Revision at) const;
  /// Nothing, at a revision: whether it can be read, and etcd's own revision.
  std::expected<Revision, Fault> ReadRevision(Revision at);
  /// How far etcd has forgotten.
  Result<Revision> ReadCompacted();
  Error ErrorOfRead(const Fault& fault, Revision at);
  Result<Range> ListPages(const RangeRequest& request, const KeyRange& keys);
  /// Makes a change of our own, unless it is known that the revision is of one; on the loop.
  void MarkPosition(Revision revision, std::move_only_function<void()> done);
  /// The same when the watches had time to see that it is of another server; on the loop.
  void MarkPositionLater(Revision revision);

  void Look(Instant now);
  using CompactionDone = std::move_only_function<void(std::expected<void, Fault>)>;
  /// On the loop.
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
  std::atomic<Revision> latest_{kNoRevision};     // a change of ours, or etcd's when it was opened
  std::atomic<Revision> reachable_{kNoRevision};  // the latest that is known to be a change of ours
  std::atomic<Revision> compacted_{kNoRevision};
  CompactionSchedule schedule_;
  std::optional<Periodic> timer_;

  // Of the loop's thread.
  Writes writes_;
  Watches watches_;
  SharedRead latest_reads_;
  bool is_mark_due_ = false;
  std::size_t compactions_ = 0;    // on their way
  std::vector<WriteAnswer> held_;  // until those are done
  std::size_t writing_ = 0;        // writers who are not told yet
  std::move_only_function<void()> when_idle_;
};

}  // namespace plimsoll::store::etcd
