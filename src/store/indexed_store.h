#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/async.h"
#include "base/clock.h"
#include "store/compaction_schedule.h"
#include "store/engine.h"
#include "store/store.h"
#include "store/version_index.h"
#include "store/watch_hub.h"

namespace plimsoll::store {

class CommitMetrics;

/// A store made of an index in memory and an engine that keeps the values. One thread makes all
/// changes, in turns. A turn checks all queued writes against the index, appends those that pass,
/// publishes them in the index, notifies the watches, then answers the writers. So the writes that
/// arrive during one append share the next one.
///
/// Readers see published changes only, which are durable. They take the index's lock only to choose
/// revisions and read the values without it.
class IndexedStore : public Store {
 public:
  /// REQUIRES: `index` describes the engine's values; the clock outlives the store and calls it
  /// only on the clock's own thread. The metrics may be null.
  IndexedStore(std::unique_ptr<Engine> engine, VersionIndex index, Clock& clock,
               HistoryBounds bounds, std::unique_ptr<CommitMetrics> metrics);
  /// Finishes the queued writes and ends the watches.
  ~IndexedStore() override;
  IndexedStore(const IndexedStore&) = delete;
  IndexedStore& operator=(const IndexedStore&) = delete;

  void Commit(Write write, CommitDone done) override;
  Result<std::optional<Record>> Get(std::string_view key) override;
  Result<Range> List(const RangeRequest& request) override;
  Result<std::unique_ptr<Watch>> WatchFrom(std::string prefix, Revision after,
                                           ChangeSink& sink) override;
  Status Compact(Revision revision) override;
  Status BumpRevision(Revision revision) override;
  Revision latest() const override { return latest_.load(std::memory_order_acquire); }
  Revision compacted() const override { return compacted_.load(std::memory_order_acquire); }
  Status Defragment() override { return engine_->Defragment(); }
  Status Health() const override { return engine_->Health(); }
  Status Space() const override { return engine_->Space(); }

 private:
  struct Asked {
    Write write;
    CommitDone done;
    Instant time;  // set only with metrics
  };
  class Batch;
  class Past;

  void Run();
  void CommitAll(std::span<Asked> asked);
  void CommitSome(std::span<Asked> asked);
  Status ReadBefores(std::span<Change> changes) const;
  void Publish(std::span<const Change> changes);
  void CompactSome(Revision asked);
  Status Bump(Revision to);
  void OnTimer(Instant now);
  void AskCompaction(Revision revision);
  Status CheckReadable(Revision revision) const;

  const std::unique_ptr<Engine> engine_;
  const std::unique_ptr<CommitMetrics> metrics_;

  // The lock is for readers: only the changing thread writes the index, and it reads without it.
  mutable std::shared_mutex index_mutex_;
  VersionIndex index_;
  std::atomic<Revision> latest_;
  std::atomic<Revision> compacted_;
  std::vector<Revision> dropped_;  // from the index, not yet from the engine

  WatchHub watches_;
  bool is_all_caught_up_ = true;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::condition_variable compaction_done_;
  std::vector<Asked> asked_;
  Revision compaction_asked_{kNoRevision};
  Revision compaction_reached_;
  Status compaction_status_;  // of the last compaction step
  std::optional<std::pair<Revision, std::promise<Status>>> bump_asked_;
  bool is_healing_asked_ = false;
  bool is_closing_ = false;

  CompactionSchedule schedule_;
  Periodic timer_;
  std::thread thread_;
};

}  // namespace plimsoll::store
