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

#include "base/clock.h"
#include "base/periodic.h"
#include "store/compaction_schedule.h"
#include "store/engine.h"
#include "store/store.h"
#include "store/version_index.h"
#include "store/watch_hub.h"

namespace plimsoll::store {

class CommitMetrics;

/// A store made of an index in memory and an engine that keeps the values. One thread of its own
/// makes all changes, in turns: take what was asked for meanwhile, check each write against the
/// index, append all that pass at once, publish them in the index, tell the watches, tell the
/// writers. So the writes that come while an append waits for the disk share the next one.
///
/// Readers see what is published, which is durable. They take the index's lock only to choose
/// revisions and read the values without it.
class IndexedStore : public Store {
 public:
  /// The index is that of the engine's values. The clock must outlive the store and calls it only
  /// on its own thread; the metrics may be null.
  IndexedStore(std::unique_ptr<Engine> engine, VersionIndex index, Clock& clock,
               HistoryBounds bounds, std::unique_ptr<CommitMetrics> metrics);
  /// Finishes the writes that are asked for and ends the watches.
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
    Instant time;  // only with metrics
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
  void Look(Instant now);
  void AskCompaction(Revision revision);
  Status CheckReadable(Revision revision) const;

  const std::unique_ptr<Engine> engine_;
  const std::unique_ptr<CommitMetrics> metrics_;

  // The lock is for readers: the changing thread alone changes the index, and reads it without.
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
  Status compaction_status_;  // of the last step
  std::optional<std::pair<Revision, std::promise<Status>>> bump_asked_;
  bool is_healing_asked_ = false;
  bool is_closing_ = false;

  CompactionSchedule schedule_;
  Periodic timer_;
  std::thread thread_;
};

}  // namespace plimsoll::store
