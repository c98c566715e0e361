#include "store/etcd/remote_store.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/async.h"
#include "store/etcd/checked_rpc.h"
#include "store/limits.h"
#include "store/revision_errors.h"
#include "store/write_limit.h"

namespace plimsoll::store::etcd {
namespace {

// Page size of a list without a limit. All its pages are of one revision.
constexpr std::int64_t kPageRecords = 10'000;
// Key that MarkPosition writes.
constexpr std::string_view kPositionKey = "plimsoll.io/position";

// Time that a watch has to report another server's change. After it, the revision is taken for a
// change of keys outside our prefix.
constexpr std::chrono::milliseconds kMarkDelay(100);

std::chrono::milliseconds PauseAfter(int attempts) {
  return std::chrono::milliseconds(50 << attempts);
}

void Raise(std::atomic<Revision>& value, Revision to) {
  Revision seen = value.load();
  while (seen < to && !value.compare_exchange_weak(seen, to)) {
  }
}

/// A read with retries after transient faults.
struct Reading {
  ReadRequest request;
  RpcDone<ReadReply> done;
  int attempts = 0;

  static void Begin(Rpc& rpc, std::shared_ptr<Reading> reading) {
    const ReadRequest& request = reading->request;
    rpc.Read(request, [&rpc, reading = std::move(reading)](auto answer) mutable {
      if (answer.has_value() || !answer.error().IsTransient() ||
          ++reading->attempts >= kEtcdReadAttemptsMax) {
        return reading->done(std::move(answer));
      }
      const std::chrono::milliseconds pause = PauseAfter(reading->attempts);
      rpc.After(pause, [&rpc, reading = std::move(reading)] { Begin(rpc, reading); });
    });
  }
};

}  // namespace

class RemoteStore::Handle final : public Watch {
 public:
  Handle(std::shared_ptr<Loop> loop, Watches& watches, std::shared_ptr<Subscription> subscription)
      : loop_(std::move(loop)), watches_(watches), subscription_(std::move(subscription)) {}
  ~Handle() override {
    subscription_->Close();
    // After the store is destroyed the loop drops the task, so `watches` is valid whenever it runs.
    loop_->Post([&watches = watches_, subscription = std::move(subscription_)] {
      watches.Remove(subscription);
    });
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;

 private:
  std::shared_ptr<Loop> loop_;
  Watches& watches_;
  std::shared_ptr<Subscription> subscription_;
};

RemoteStore::RemoteStore(std::shared_ptr<Loop> loop, std::unique_ptr<Rpc> rpc, KeyMap keys,
                         HistoryBounds history, Clock& clock, Logger& logger,
                         std::unique_ptr<CommitMetrics> metrics)
    : loop_(std::move(loop)),
      rpc_(std::make_unique<CheckedRpc>(std::move(rpc))),
      keys_(std::move(keys)),
      clock_(clock),
      logger_(logger),
      metrics_(std::move(metrics)),
      schedule_(history),
      writes_(*rpc_, health_, [this](WriteAnswer answer) { OnAnswer(std::move(answer)); }),
      watches_(
          *rpc_, keys_, logger_,
          [this](Revision revision) {
            Raise(reachable_, revision);
            Raise(latest_, revision);
          },
          [this](Revision revision) { Raise(compacted_, revision); }),
      latest_reads_([this](SharedRead::Done done) {
        auto reading = std::make_shared<Reading>(
            NothingAt(kNoRevision), [done = std::move(done)](auto reply) mutable {
              if (!reply.has_value()) return done(std::unexpected(std::move(reply.error())));
              done(reply->revision);
            });
        Reading::Begin(*rpc_, std::move(reading));
      }) {}

RemoteStore::~RemoteStore() {
  timer_.reset();
  OneShotEvent idle;
  loop_->Post([&] {
    if (writing_ == 0) return idle.Set();
    when_idle_ = [&] { idle.Set(); };
  });
  idle.Wait();
  loop_->PostAndWait(
      [&] { watches_.End({Reason::ServiceUnavailable, {}, "the store is closing"}); });
  rpc_->Shutdown();
  loop_->Stop();
}

Status RemoteStore::Start() {
  const std::expected<Revision, Fault> revision = ReadRevision(kNoRevision);
  if (!revision.has_value()) return std::unexpected(ErrorOfRead(revision.error(), kNoRevision));
  Raise(latest_, *revision);
  Raise(compacted_, PL_TRY(ReadCompacted()));
  OnTimer(clock_.Now());
  timer_.emplace(clock_, PeriodicOptions{schedule_.interval()},
                 [this](Instant now) { OnTimer(now); });
  return {};
}

void RemoteStore::Commit(Write write, CommitDone done) {
  const Instant now = metrics_ == nullptr ? Instant() : metrics_->Now();
  loop_->Post([this, write = std::move(write), done = std::move(done), now]() mutable {
    ++writing_;
    CommitDone timed = metrics_ == nullptr
                           ? std::move(done)
                           : CommitDone([this, now, told = std::move(done)](auto result) mutable {
                               told(std::move(result));
                               metrics_->Answered(now);
                             });
    std::optional<std::string> key = keys_.ToEtcd(write.key);
    if (!key.has_value() || write.key == keys_.root()) {
      const std::string text = write.key.empty() ? "a key may not be empty"
                                                 : fmt::format("a key must begin with {}, not {}",
                                                               keys_.root(), write.key);
      return Finish({{}, Fail(Reason::Invalid, text), kNoRevision, std::move(timed)});
    }
    if (const Status fits = CheckWriteSize(write); !fits) {
      return Finish({{}, std::unexpected(fits.error()), kNoRevision, std::move(timed)});
    }
    writes_.Commit({*std::move(key), std::move(write.value), write.expected}, std::move(timed));
  });
}

void RemoteStore::OnAnswer(WriteAnswer answer) {
  std::string key = answer.key;
  const Revision seen = answer.seen;
  if (seen == kNoRevision) return OnSeen(std::move(answer));
  watches_.WhenSeen(std::move(key), seen,
                    [this, waiting = std::move(answer)]() mutable { OnSeen(std::move(waiting)); });
}

void RemoteStore::OnSeen(WriteAnswer answer) {
  Raise(reachable_, answer.seen);
  Raise(latest_, answer.seen);
  // A write that follows an advance of the clock is answered after the compaction this triggered.
  if (compactions_ > 0) {
    held_.push_back(std::move(answer));
  } else {
    Finish(std::move(answer));
  }
}

void RemoteStore::Finish(WriteAnswer answer) {
  if (metrics_ != nullptr) metrics_->Published(latest(), compacted());
  answer.done(std::move(answer.result));
  if (--writing_ == 0 && when_idle_) std::exchange(when_idle_, nullptr)();
}

std::expected<ReadReply, Fault> RemoteStore::Read(ReadRequest request) {
  std::expected<ReadReply, Fault> reply = std::unexpected(Fault());
  OneShotEvent done;
  Reading::Begin(*rpc_, std::make_shared<Reading>(std::move(request), [&](auto answer) {
    reply = std::move(answer);
    done.Set();
  }));
  done.Wait();
  if (reply.has_value()) {
    for (const KeyValue& one : reply->records) Raise(reachable_, one.modified);
    Raise(latest_, reachable_.load());
  }
  return reply;
}

ReadRequest RemoteStore::NothingAt(Revision at) const {
  // A key that no object has.
  return {.keys = {*keys_.ToEtcd(keys_.root()), {}}, .at = at, .is_count_only = true};
}

std::expected<Revision, Fault> RemoteStore::ReadRevision(Revision at) {
  std::expected<ReadReply, Fault> reply = Read(NothingAt(at));
  if (!reply.has_value()) return std::unexpected(std::move(reply.error()));
  return reply->revision;
}

Result<Revision> RemoteStore::ReadCompacted() {
  // Usually nothing was compacted since the last call.
  const Revision known = compacted();
  std::int64_t gone = std::max<std::int64_t>(Number(known), 1);
  std::expected<Revision, Fault> read = ReadRevision(Revision{gone});
  if (read.has_value()) return known;
  if (read.error().kind != Fault::Kind::Compacted) return std::unexpected(ErrorOf(read.error()));
  // etcd only tells whether a revision is compacted, so find the border by bisection.
  read = ReadRevision(kNoRevision);
  if (!read.has_value()) return std::unexpected(ErrorOf(read.error()));
  std::int64_t kept = Number(*read);
  while (gone + 1 < kept) {
    const std::int64_t middle = gone + (kept - gone) / 2;
    read = ReadRevision(Revision{middle});
    if (!read.has_value() && read.error().kind != Fault::Kind::Compacted) {
      return std::unexpected(ErrorOf(read.error()));
    }
    (read.has_value() ? kept : gone) = middle;
  }
  Raise(compacted_, Revision{kept});
  return Revision{kept};
}

Error RemoteStore::ErrorOfRead(const Fault& fault, Revision at) {
  switch (fault.kind) {
    case Fault::Kind::Compacted:
      return TooOld(at, ReadCompacted().value_or(compacted()));
    case Fault::Kind::Future:
      return TooLarge(at, ReadRevision(kNoRevision).value_or(latest()));
    case Fault::Kind::Unknown:
      return {Reason::ServiceUnavailable, {}, ErrorOf(fault).message};
    default:
      return ErrorOf(fault);
  }
}

Result<std::optional<Record>> RemoteStore::Get(std::string_view key) {
  std::optional<std::string> at = keys_.ToEtcd(key);
  if (!at.has_value()) return std::nullopt;
  std::expected<ReadReply, Fault> reply = Read({.keys = {*std::move(at), {}}});
  if (!reply.has_value()) return std::unexpected(ErrorOfRead(reply.error(), kNoRevision));
  if (reply->records.empty()) return std::nullopt;
  KeyValue& found = reply->records.front();
  return Record{std::string(key), std::move(found.value), found.modified};
}

Result<Range> RemoteStore::List(const RangeRequest& request) {
  const KeyRange keys = keys_.RangeOf(request.prefix, request.after);
  if (!keys.is_empty()) return ListPages(request, keys);
  const std::expected<Revision, Fault> revision = ReadRevision(request.at);
  if (!revision.has_value()) return std::unexpected(ErrorOfRead(revision.error(), request.at));
  Range range;
  range.at = request.at == kNoRevision ? *revision : request.at;
  return range;
}

Result<Range> RemoteStore::ListPages(const RangeRequest& request, const KeyRange& keys) {
  const bool is_whole = request.limit == 0;
  ReadRequest page{.keys = keys,
                   .limit = is_whole ? kPageRecords : static_cast<std::int64_t>(request.limit),
                   .at = request.at};
  Range range;
  range.at = request.at;
  while (true) {
    std::expected<ReadReply, Fault> reply = Read(page);
    if (!reply.has_value()) return std::unexpected(ErrorOfRead(reply.error(), range.at));
    if (range.at == kNoRevision) range.at = reply->revision;
    for (KeyValue& one : reply->records) {
      range.records.push_back({keys_.FromEtcd(one.key), std::move(one.value), one.modified});
    }
    const auto remaining = static_cast<std::size_t>(reply->count) - reply->records.size();
    if (!is_whole || remaining == 0) {
      range.has_more = remaining > 0;
      range.remaining = request.counts_remaining ? remaining : std::min<std::size_t>(remaining, 1);
      return range;
    }
    // The least key that is greater than the last one.
    page.keys.begin = std::move(reply->records.back().key);
    page.keys.begin.push_back('\0');
    page.at = range.at;
  }
}

Result<std::unique_ptr<Watch>> RemoteStore::WatchFrom(std::string prefix, Revision after,
                                                      ChangeSink& sink) {
  const std::expected<Revision, Fault> revision = ReadRevision(std::max(after, Revision{1}));
  if (!revision.has_value()) return std::unexpected(ErrorOfRead(revision.error(), after));
  KeyRange keys = keys_.RangeOf(prefix, {});
  // A watch of all keys measures progress by revision, so etcd's current one must be reported.
  if (after < *revision && keys == keys_.RangeOf({}, {})) {
    OneShotEvent marked;
    loop_->Post([&] { MarkPosition(*revision, [&] { marked.Set(); }); });
    marked.Wait();
  }
  const bool is_of_keys = !keys.is_empty();
  auto subscription = std::make_shared<Subscription>(std::move(keys), after, *revision, sink);
  auto handle = std::make_unique<Handle>(loop_, watches_, subscription);
  if (is_of_keys) {
    loop_->Post([this, subscription = std::move(subscription)] { watches_.Add(subscription); });
  }
  return handle;
}

Result<Revision> RemoteStore::ReadLatest() {
  SharedRead::Answer answer = std::unexpected(Fault());
  OneShotEvent done;
  loop_->Post([&] {
    latest_reads_.Read([&](const SharedRead::Answer& read) {
      if (read.has_value()) MarkPositionLater(*read);
      answer = read;
      done.Set();
    });
  });
  done.Wait();
  if (!answer.has_value()) return std::unexpected(ErrorOfRead(answer.error(), kNoRevision));
  return *answer;
}

void RemoteStore::MarkPositionLater(Revision revision) {
  if (revision <= reachable_.load() || std::exchange(is_mark_due_, true)) return;
  rpc_->After(kMarkDelay, [this, revision] {
    is_mark_due_ = false;
    MarkPosition(revision, [] {});
  });
}

void RemoteStore::MarkPosition(Revision revision, std::move_only_function<void()> done) {
  if (revision <= reachable_.load()) return done();
  std::string key = keys_.root() + std::string(kPositionKey);
  ReadRequest request{.keys = {*keys_.ToEtcd(key), {}}};
  rpc_->Read(std::move(request), [this, revision, key = std::move(key),
                                  done = std::move(done)](auto found) mutable {
    if (!found.has_value()) return done();
    const Revision expected =
        found->records.empty() ? kNoRevision : found->records.front().modified;
    Raise(reachable_, expected);
    if (revision <= expected) return done();
    Commit({std::move(key), MakeBytes(fmt::format(R"({{"revision":"{}"}})", Number(revision))),
            expected},
           [this, done = std::move(done)](const Result<Revision>& made) mutable {
             // A conflict means that another server wrote it.
             if (!made.has_value() && made.error().reason != Reason::Conflict) {
               PL_LOG(logger_, Warning(), "Could not write the position key to etcd",
                      {"reason", made.error().message});
             }
             done();
           });
  });
}

Status RemoteStore::Compact(Revision revision) {
  std::expected<void, Fault> result;
  OneShotEvent done;
  loop_->Post([&] {
    StartCompaction(revision, [&](std::expected<void, Fault> answer) {
      result = std::move(answer);
      done.Set();
    });
  });
  done.Wait();
  if (!result.has_value()) return std::unexpected(ErrorOfRead(result.error(), revision));
  return {};
}

Status RemoteStore::BumpRevision(Revision /*revision*/) {
  return Fail(Reason::Invalid, "etcd has no call that raises its revision");
}

void RemoteStore::OnTimer(Instant now) {
  const Revision to = schedule_.Sample(now, latest());
  loop_->Post([this, to] {
    StartCompaction(to, [this](const std::expected<void, Fault>& result) {
      if (result.has_value()) return;
      PL_LOG(logger_, Warning(), "Could not compact etcd", {"reason", result.error().text});
    });
    rpc_->GetStatus(
        [this](const std::expected<StatusReply, Fault>& reply) { health_.NoteStatus(reply); });
  });
}

void RemoteStore::StartCompaction(Revision revision, CompactionDone done) {
  if (revision <= compacted()) return done({});
  ++compactions_;
  rpc_->Compact(revision, [this, revision,
                           done = std::move(done)](std::expected<Revision, Fault> reply) mutable {
    // Another server may have compacted first.
    const bool is_done = reply.has_value() || reply.error().kind == Fault::Kind::Compacted;
    if (is_done) Raise(compacted_, revision);
    done(is_done ? std::expected<void, Fault>() : std::unexpected(std::move(reply.error())));
    if (--compactions_ > 0) return;
    for (WriteAnswer& answer : std::exchange(held_, {})) Finish(std::move(answer));
  });
}

}  // namespace plimsoll::store::etcd
