#include "store/indexed_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/assert.h"
#include "base/async.h"
#include "base/thread_role.h"
#include "store/commit_metrics.h"
#include "store/limits.h"
#include "store/revision_errors.h"
#include "store/write_limit.h"

namespace plimsoll::store {
namespace {

std::size_t SizeOf(const Write& write) {
  return write.key.size() + (write.value == nullptr ? 0 : write.value->size());
}

}  // namespace

/// Writes that share an append. Valid ones become changes, and every writer gets an answer.
class IndexedStore::Batch {
 public:
  /// `space` is the error for writes other than deletions, if the store is over its quota.
  Batch(const VersionIndex& index, Status space) : index_(index), space_(std::move(space)) {}

  void Add(Asked& asked) {
    const Write& write = asked.write;
    const auto earlier = earlier_.find(write.key);
    const bool depends = earlier != earlier_.end();
    Revision found = index_.Find(write.key);
    if (depends) {
      const Change& change = changes_[earlier->second];
      found = change.value == nullptr ? kNoRevision : change.revision;
    }
    Answer answer{&asked, Check(write, found), depends};
    if (answer.result.has_value()) {
      const Revision next{Number(index_.latest()) + static_cast<std::int64_t>(changes_.size()) + 1};
      answer.result = next;
      changes_.push_back({next, write.key, write.value, nullptr, found, write.payload});
      if (depends) changes_.back().before = changes_[earlier->second].value;
      earlier_[write.key] = changes_.size() - 1;
    }
    answers_.push_back(std::move(answer));
  }

  std::vector<Change>& changes() { return changes_; }

  /// Fails every accepted write, and every rejected one that was checked against an accepted one.
  void Fail(const Error& error) {
    for (Answer& answer : answers_) {
      if (answer.result.has_value() || answer.depends) answer.result = std::unexpected(error);
    }
    changes_.clear();
  }
  void TellWriters(CommitMetrics* metrics) {
    for (Answer& answer : answers_) {
      answer.asked->done(std::move(answer.result));
      if (metrics != nullptr) metrics->Answered(answer.asked->time);
    }
  }

 private:
  struct Answer {
    Asked* asked = nullptr;
    Result<Revision> result;
    bool depends = false;  // on a write before it in the batch
  };

  Result<Revision> Check(const Write& write, Revision found) const {
    if (write.key.empty()) return plimsoll::Fail(Reason::Invalid, "a key may not be empty");
    PL_TRY(CheckWriteSize(write));
    if (found != write.expected) {
      return plimsoll::Fail(Reason::Conflict,
                            fmt::format("key {} is at revision {}, not {}", write.key,
                                        Number(found), Number(write.expected)));
    }
    if (write.value == nullptr && found == kNoRevision) {
      return plimsoll::Fail(Reason::Invalid, "cannot delete a key that does not exist");
    }
    if (write.value != nullptr && !space_.has_value()) return std::unexpected(space_.error());
    return found;
  }

  const VersionIndex& index_;
  const Status space_;
  std::vector<Change> changes_;
  std::vector<Answer> answers_;
  std::map<std::string_view, std::size_t> earlier_;  // key -> index of its last change in the batch
};

/// Reads past changes from the index and the engine, for watches that are behind.
class IndexedStore::Past final : public WatchHub::Past {
 public:
  Past(const VersionIndex& index, const Engine& engine) : index_(index), engine_(engine) {}

  Revision latest() const override { return index_.latest(); }

  Result<std::vector<Change>> Read(std::string_view prefix, Revision after,
                                   Revision& seen) const override {
    if (after < index_.compacted()) return std::unexpected(TooOld(after, index_.compacted()));
    const std::int64_t end = std::min(Number(index_.latest()), Number(after) + kReplayChangesMax);
    std::vector<Change> changes;
    std::vector<Revision> revisions;  // of each change's value, and of the one before it
    for (std::int64_t number = Number(after) + 1; number <= end; ++number) {
      const VersionIndex::Past past = index_.At(Revision{number});
      if (!past.key.starts_with(prefix)) continue;
      changes.push_back({past.revision, std::string(past.key), nullptr, nullptr, past.before});
      revisions.push_back(past.is_deletion ? kNoRevision : past.revision);
      revisions.push_back(past.before);
    }
    std::vector<Bytes> values = PL_TRY(engine_.Snapshot()->Values(revisions));
    for (std::size_t i = 0; i < changes.size(); ++i) {
      changes[i].value = std::move(values[2 * i]);
      changes[i].before = std::move(values[2 * i + 1]);
    }
    seen = Revision{end};
    return changes;
  }

 private:
  const VersionIndex& index_;
  const Engine& engine_;
};

IndexedStore::IndexedStore(std::unique_ptr<Engine> engine, VersionIndex index, Clock& clock,
                           HistoryBounds bounds, std::unique_ptr<CommitMetrics> metrics)
    : engine_(std::move(engine)),
      metrics_(std::move(metrics)),
      index_(std::move(index)),
      latest_(index_.latest()),
      compacted_(index_.compacted()),
      compaction_reached_(index_.compacted()),
      schedule_(bounds),
      timer_(clock, {schedule_.interval()}, [this](Instant now) { OnTimer(now); }) {
  OnTimer(clock.Now());
  thread_ = std::thread([this] {
    SetThreadRole({.name = "store-commit"});
    Run();
  });
}

IndexedStore::~IndexedStore() {
  timer_.Stop();
  {
    const std::lock_guard lock(mutex_);
    is_closing_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void IndexedStore::Commit(Write write, CommitDone done) {
  const Instant now = metrics_ == nullptr ? Instant() : metrics_->Now();
  {
    const std::lock_guard lock(mutex_);
    PL_ASSERT(!is_closing_);
    asked_.push_back({std::move(write), std::move(done), now});
  }
  Wake([this] { wake_.notify_one(); });
}

Result<std::optional<Record>> IndexedStore::Get(std::string_view key) {
  std::unique_ptr<Engine::View> view;
  Revision revision{};
  {
    const std::shared_lock lock(index_mutex_);
    revision = index_.Find(key);
    if (revision == kNoRevision) return std::nullopt;
    view = engine_->Snapshot();
  }
  std::vector<Bytes> values = PL_TRY(view->Values({&revision, 1}));
  return Record{std::string(key), std::move(values.front()), revision};
}

Result<Range> IndexedStore::List(const RangeRequest& request) {
  std::unique_ptr<Engine::View> view;
  VersionIndex::Picked picked;
  Range range;
  {
    const std::shared_lock lock(index_mutex_);
    range.at = request.at == kNoRevision ? index_.latest() : request.at;
    PL_TRY(CheckReadable(range.at));
    picked = index_.Pick(request, range.at);
    view = engine_->Snapshot();
  }
  std::vector<Revision> revisions;
  revisions.reserve(picked.versions.size());
  for (const auto& version : picked.versions) revisions.push_back(version.revision);
  std::vector<Bytes> values = PL_TRY(view->Values(revisions));
  range.records.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    range.records.push_back(
        {std::move(picked.versions[i].key), std::move(values[i]), revisions[i]});
  }
  range.remaining = picked.remaining;
  range.has_more = picked.remaining > 0;
  return range;
}

Result<std::unique_ptr<Watch>> IndexedStore::WatchFrom(std::string prefix, Revision after,
                                                       ChangeSink& sink) {
  {
    const std::shared_lock lock(index_mutex_);
    PL_TRY(CheckReadable(after));
  }
  std::unique_ptr<Watch> watch = watches_.Add(std::move(prefix), after, sink);
  {
    // Run() checks for new watches under this lock: it has seen this one, or waits on `wake_`.
    const std::lock_guard lock(mutex_);
  }
  wake_.notify_one();
  return watch;
}

Status IndexedStore::Compact(Revision revision) {
  if (revision > latest()) return std::unexpected(TooLarge(revision, latest()));
  AskCompaction(revision);
  std::unique_lock lock(mutex_);
  compaction_done_.wait(lock, [&] { return compaction_reached_ >= revision; });
  return compaction_status_;
}

Status IndexedStore::BumpRevision(Revision revision) {
  std::future<Status> done;
  {
    const std::lock_guard lock(mutex_);
    PL_ASSERT(!bump_asked_.has_value());
    done = bump_asked_.emplace(revision, std::promise<Status>()).second.get_future();
  }
  wake_.notify_one();
  return done.get();
}

Status IndexedStore::CheckReadable(Revision revision) const {
  if (revision < index_.compacted()) {
    return std::unexpected(TooOld(revision, index_.compacted()));
  }
  if (revision > index_.latest()) return std::unexpected(TooLarge(revision, index_.latest()));
  return {};
}

// From here on, nothing may call a virtual method of this object. The clock's thread and our own
// run while a derived class is being destroyed.

void IndexedStore::OnTimer(Instant now) {
  if (!engine_->Health().has_value()) {
    const std::lock_guard lock(mutex_);
    is_healing_asked_ = true;
  }
  AskCompaction(schedule_.Sample(now, latest_.load()));
}

void IndexedStore::AskCompaction(Revision revision) {
  {
    const std::lock_guard lock(mutex_);
    compaction_asked_ = std::max(compaction_asked_, revision);
  }
  wake_.notify_one();
}

void IndexedStore::Run() {
  std::vector<Asked> asked;
  while (true) {
    Revision compaction{};
    bool is_healing = false;
    std::optional<std::pair<Revision, std::promise<Status>>> bump;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] {
        return is_closing_ || is_healing_asked_ || bump_asked_.has_value() || !asked_.empty() ||
               compaction_asked_ > compaction_reached_ || !is_all_caught_up_ || watches_.HasNew();
      });
      if (is_closing_ && asked_.empty()) break;
      asked.swap(asked_);
      compaction = compaction_asked_;
      is_healing = std::exchange(is_healing_asked_, false);
      bump.swap(bump_asked_);
    }
    if (is_healing) engine_->Recover();
    if (compaction > compacted_.load()) CompactSome(compaction);
    if (bump.has_value()) bump->second.set_value(Bump(bump->first));
    // Before the writes: an existing watch must get a change before its writer gets the answer,
    // unless the watch began very far back.
    is_all_caught_up_ = watches_.CatchUp(Past(index_, *engine_));
    CommitAll(asked);
    asked.clear();
  }
  watches_.End({Reason::ServiceUnavailable, {}, "the store is closing"});
}

void IndexedStore::CommitAll(std::span<Asked> asked) {
  while (!asked.empty()) {
    std::size_t count = 0;
    for (std::size_t bytes = 0; count < std::min(asked.size(), kBatchWritesMax); ++count) {
      bytes += SizeOf(asked[count].write);
      if (count > 0 && bytes > kBatchBytesMax) break;
    }
    CommitSome(asked.first(count));
    asked = asked.subspan(count);
  }
}

void IndexedStore::CommitSome(std::span<Asked> asked) {
  const WakeBatch held;  // wakes watchers and writers once per batch
  Batch batch(index_, engine_->Space());
  for (Asked& one : asked) batch.Add(one);
  if (!batch.changes().empty()) {
    Status status = ReadBefores(batch.changes());
    if (status.has_value()) {
      const Instant begun = metrics_ == nullptr ? Instant() : metrics_->Now();
      status = engine_->Append(batch.changes());
      if (metrics_ != nullptr) {
        metrics_->Appended(begun, batch.changes().size(), status.has_value());
      }
    }
    if (status.has_value()) {
      Publish(batch.changes());
    } else {
      batch.Fail(status.error());
    }
  }
  batch.TellWriters(metrics_.get());
}

Status IndexedStore::ReadBefores(std::span<Change> changes) const {
  std::vector<Change*> wanting;
  std::vector<Revision> revisions;
  for (Change& change : changes) {
    // The value was made in this batch, and is set already.
    if (change.before_revision == kNoRevision || change.before != nullptr) continue;
    if (!watches_.NeedsBefore(change.key)) continue;
    wanting.push_back(&change);
    revisions.push_back(change.before_revision);
  }
  if (wanting.empty()) return {};
  std::vector<Bytes> values = PL_TRY(engine_->Snapshot()->Values(revisions));
  for (std::size_t i = 0; i < wanting.size(); ++i) wanting[i]->before = std::move(values[i]);
  return {};
}

void IndexedStore::Publish(std::span<const Change> changes) {
  {
    const std::lock_guard lock(index_mutex_);
    for (const Change& change : changes) index_.Apply(change.key, change.value == nullptr);
    latest_.store(index_.latest(), std::memory_order_release);
  }
  if (metrics_ != nullptr) metrics_->Published(latest_.load(), compacted_.load());
  watches_.Deliver(changes);
}

void IndexedStore::CompactSome(Revision asked) {
  const Revision to{std::min(
      {Number(asked), Number(compacted_.load()) + kCompactChangesMax, Number(latest_.load())})};
  {
    // The index first: the engine must still have every revision that a reader finds in the index.
    const std::lock_guard lock(index_mutex_);
    index_.Compact(to, dropped_);
    compacted_.store(to, std::memory_order_release);
  }
  Status status = engine_->Compact(to, dropped_);
  // A failed compaction is retried together with the next one.
  if (status.has_value()) dropped_.clear();
  if (metrics_ != nullptr) metrics_->Published(latest_.load(), compacted_.load());
  {
    const std::lock_guard lock(mutex_);
    compaction_reached_ = to;
    compaction_status_ = std::move(status);
  }
  compaction_done_.notify_all();
}

Status IndexedStore::Bump(Revision to) {
  if (to <= latest_.load()) {
    return Fail(Reason::Invalid,
                fmt::format("the store is at revision {} already, cannot bump it to {}",
                            Number(latest_.load()), Number(to)));
  }
  while (compacted_.load() < latest_.load()) CompactSome(latest_.load());
  // The engine first: after it has stored the new revision, nothing can fail any more.
  PL_TRY(engine_->Compact(to, dropped_));
  dropped_.clear();
  const std::lock_guard lock(index_mutex_);
  index_.Bump(to);
  latest_.store(to, std::memory_order_release);
  compacted_.store(to, std::memory_order_release);
  return {};
}

}  // namespace plimsoll::store
