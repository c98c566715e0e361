#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>
#include <vector>

#include "base/assert.h"
#include "base/random.h"
#include "base/real_clock.h"
#include "store/rocks_store.h"
#include "store_kill/wire.h"

namespace plimsoll::store_kill {
namespace {

using store::Change;
using store::kNoRevision;
using store::Number;
using store::Record;
using store::Revision;
using store::Store;

class Reporter {
 public:
  explicit Reporter(int descriptor) : descriptor_(descriptor) {}

  void Send(const Report& report) const {
    if (write(descriptor_, &report, sizeof report) != static_cast<ssize_t>(sizeof report)) {
      std::_Exit(3);  // the referee is gone
    }
  }
  void Violated(const std::string& what) const {
    fmt::print(stderr, "store_kill: {}\n", what);
    Send({.kind = Report::Kind::Violated});
  }

 private:
  int descriptor_;
};

/// Checks that each change after a revision arrives once and in order.
class OrderSink final : public store::ChangeSink {
 public:
  OrderSink(const Reporter& reporter, Revision after) : reporter_(reporter), seen_(Number(after)) {}

  void OnChanges(std::span<const Change> changes) override {
    for (const Change& change : changes) {
      const std::int64_t expected = seen_ + 1;
      if (Number(change.revision) != expected) {
        reporter_.Violated(
            fmt::format("a watch saw revision {} after {}", Number(change.revision), expected - 1));
      }
      seen_ = Number(change.revision);
    }
  }
  void OnEnd(const Error& error) override {
    if (error.reason != Reason::Expired) reporter_.Violated("a watch ended: " + error.Text());
    has_ended_ = true;
  }

  std::int64_t seen() const { return seen_; }
  bool has_ended() const { return has_ended_; }

 private:
  const Reporter& reporter_;
  std::atomic<std::int64_t> seen_;
  std::atomic<bool> has_ended_ = false;
};

Result<Revision> MustAnswer(const Reporter& reporter, Store& store, store::Write write) {
  Result<Revision> result = store.CommitAndWait(std::move(write));
  if (!result.has_value() && result.error().reason != Reason::Conflict) {
    reporter.Violated("a write failed: " + result.error().Text());
  }
  return result;
}

/// Creates, updates and deletes keys that no other thread writes.
void WriteForEver(const Reporter& reporter, Store& store, const OrderSink& all, Random random,
                  std::uint32_t writer, std::int64_t sequence) {
  while (true) {
    const auto key =
        static_cast<std::uint32_t>(writer * kKeysOfWriter + random.Below(kKeysOfWriter));
    const std::optional<Record> record = store.Get(KeyName(key)).value();
    const bool is_deletion = record.has_value() && random.Chance(0.3);
    ++sequence;
    reporter.Send({Report::Kind::Asked, key, is_deletion ? 0 : sequence});
    const std::size_t filling = random.Chance(0.02) ? 200'000 : random.Below(6'000);
    const Result<Revision> result = MustAnswer(
        reporter, store,
        {KeyName(key), is_deletion ? nullptr : MakeValue(KeyName(key), sequence, filling),
         record.has_value() ? record->revision : kNoRevision});
    if (!result.has_value()) {
      reporter.Violated("a key that only one writes was in conflict: " + result.error().Text());
      return;
    }
    if (all.seen() < Number(*result)) reporter.Violated("a writer knew before a watch");
    reporter.Send({Report::Kind::Acknowledged, key, is_deletion ? 0 : sequence, Number(*result)});
  }
}

/// Increments counters that other threads increment too.
void CountForEver(const Reporter& reporter, Store& store, Random random) {
  while (true) {
    const auto counter = static_cast<std::uint32_t>(random.Below(kCounters));
    const std::string name = CounterName(counter);
    const std::optional<Record> record = store.Get(name).value();
    const std::int64_t next = record.has_value() ? ReadValue(name, *record->value) + 1 : 1;
    reporter.Send({Report::Kind::CountAsked, counter, next});
    const Result<Revision> result = MustAnswer(
        reporter, store,
        {name, MakeValue(name, next, 50), record.has_value() ? record->revision : kNoRevision});
    reporter.Send({result.has_value() ? Report::Kind::CountAcked : Report::Kind::CountRefused,
                   counter, next, result.has_value() ? Number(*result) : 0});
  }
}

/// Starts watches at random revisions, and compacts the store under them.
void WatchForEver(const Reporter& reporter, Store& store, Random random) {
  while (true) {
    const Revision after{random.Between(Number(store.compacted()), Number(store.latest()))};
    OrderSink sink(reporter, after);
    const auto watch = store.WatchFrom("", after, sink);
    if (!watch.has_value()) {
      if (watch.error().reason != Reason::Expired) reporter.Violated(watch.error().Text());
      continue;
    }
    const std::int64_t until = Number(store.latest()) + random.Between(0, 50);
    while (sink.seen() < until && !sink.has_ended()) std::this_thread::yield();
    if (random.Chance(0.2)) {
      const Revision old{std::max<std::int64_t>(0, Number(store.latest()) - 300)};
      if (!store.Compact(old).has_value()) reporter.Violated("a compaction failed");
    }
  }
}

}  // namespace

int RunVictim(const std::string& directory, std::uint64_t seed, std::int64_t round,
              int descriptor) {
  const Reporter reporter(descriptor);
  RealClock clock;
  StderrSink sink;
  Logger logger(clock, sink, {.verbosity = -1});
  auto opened = store::OpenRocksStore({.directory = directory,
                                       .history = {.changes_min = 300, .changes_max = 3'000},
                                       .write_buffer_bytes = 1U << 20U},
                                      clock, logger, nullptr);
  if (!opened.has_value()) {
    reporter.Violated("the store does not open: " + opened.error().Text());
    return 1;
  }
  Store& store = **opened;
  OrderSink all(reporter, store.latest());
  const auto watch = store.WatchFrom("", store.latest(), all).value();
  reporter.Send({.kind = Report::Kind::Opened, .revision = Number(store.latest())});
  Random random(seed);
  std::vector<std::thread> threads;
  for (std::uint32_t i = 0; i < kWriters; ++i) {
    threads.emplace_back(
        [&, i, mine = random.Fork()] { WriteForEver(reporter, store, all, mine, i, round << 32); });
  }
  for (std::uint32_t i = 0; i < kCountingThreads; ++i) {
    threads.emplace_back([&, mine = random.Fork()] { CountForEver(reporter, store, mine); });
  }
  threads.emplace_back([&, mine = random.Fork()] { WatchForEver(reporter, store, mine); });
  for (std::thread& thread : threads) thread.join();
  return 0;
}

}  // namespace plimsoll::store_kill
