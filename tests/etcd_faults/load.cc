#include "etcd_faults/load.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "store_kill/wire.h"

namespace plimsoll::etcd_faults {
namespace {

using store::Change;
using store::kNoRevision;
using store::Number;
using store::Record;
using store::Revision;
using store::Store;
using store_kill::CounterName;
using store_kill::kCounters;
using store_kill::KeyName;
using store_kill::kKeysOfWriter;
using store_kill::MakeValue;
using store_kill::ReadValue;

constexpr std::uint32_t kWritersOfStore = 2;
constexpr std::size_t kLateWatchesMax = 20;
constexpr std::string_view kMarker = "/marker";

bool IsSame(const Change& a, const Change& b) {
  const bool is_same_value =
      a.value == nullptr || b.value == nullptr ? a.value == b.value : *a.value == *b.value;
  return a.revision == b.revision && a.key == b.key && is_same_value &&
         a.before_revision == b.before_revision;
}

}  // namespace

Load::Load(std::vector<Store*> stores, Ledger& ledger, Random random, std::int64_t sequence)
    : stores_(std::move(stores)), ledger_(ledger), sequence_(sequence) {
  std::uint32_t writer = 0;
  for (Store* const store : stores_) {
    followers_.push_back(std::make_unique<Follower>());
    Follower& follower = *followers_.back();
    follower.after = ledger_.judged();
    follower.watch = store->WatchFrom("", follower.after, follower.sink).value();
  }
  for (Store* const store : stores_) {
    for (std::uint32_t i = 0; i < kWritersOfStore; ++i, ++writer) {
      threads_.emplace_back([this, store, writer, mine = random.Fork()] {
        WriteOwnKeys(*store, writer, mine, sequence_);
      });
    }
    threads_.emplace_back([this, store, mine = random.Fork()] { Count(*store, mine); });
  }
  threads_.emplace_back([this, mine = random.Fork()] { StartLateWatches(mine); });
}

Load::~Load() {
  is_over_ = true;
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
}

std::optional<Record> Load::Read(Store& store, const std::string& key) {
  while (true) {
    const Revision floor = ledger_.FloorOf(key);
    Result<std::optional<Record>> found = store.Get(key);
    if (!found.has_value()) {
      if (found.error().reason != Reason::ServiceUnavailable) {
        ledger_.Violated(fmt::format("the read of {}: {}", key, found.error().Text()));
      }
      if (is_over_) return std::nullopt;
      continue;
    }
    // Counters are never deleted.
    if (!found->has_value() && floor != kNoRevision && key.starts_with("/counter/")) {
      ledger_.Violated(key + " was acknowledged and is not there");
    }
    if (found->has_value() && (*found)->revision < floor) {
      ledger_.Violated(fmt::format("a read of {} found revision {} after {} was acknowledged", key,
                                   Number((*found)->revision), Number(floor)));
    }
    return *std::move(found);
  }
}

void Load::WriteOwnKeys(Store& store, std::uint32_t writer, Random random, std::int64_t sequence) {
  while (!is_over_) {
    const std::string key =
        KeyName(static_cast<std::uint32_t>(writer * kKeysOfWriter + random.Below(kKeysOfWriter)));
    const std::optional<Record> record = Read(store, key);
    if (is_over_) return;
    // Unique per writer, over all rounds.
    ++sequence;
    const bool is_deletion = record.has_value() && random.Chance(0.3);
    const Attempt attempt{key, is_deletion ? 0 : sequence,
                          record.has_value() ? record->revision : kNoRevision};
    const std::size_t filling = random.Chance(0.02) ? 200'000 : random.Below(6'000);
    ledger_.Ask(attempt);
    ledger_.Answer(attempt, store.CommitAndWait(
                                {key, is_deletion ? nullptr : MakeValue(key, sequence, filling),
                                 attempt.expected}));
  }
}

void Load::Count(Store& store, Random random) {
  while (!is_over_) {
    const std::string name = CounterName(static_cast<std::uint32_t>(random.Below(kCounters)));
    const std::optional<Record> record = Read(store, name);
    if (is_over_) return;
    const std::int64_t next = record.has_value() ? ReadValue(name, *record->value) + 1 : 1;
    const Attempt attempt{name, next, record.has_value() ? record->revision : kNoRevision};
    ledger_.Ask(attempt);
    ledger_.Answer(attempt,
                   store.CommitAndWait({name, MakeValue(name, next, 50), attempt.expected}));
  }
}

void Load::StartLateWatches(Random random) {
  // A watch may fail with Expired only if it starts before the compacted revision.
  while (!is_over_ && late_.size() < kLateWatchesMax) {
    Store& store = *stores_[random.Below(stores_.size())];
    auto follower = std::make_unique<Follower>();
    follower->after = Revision{
        random.Between(std::max<std::int64_t>(Number(ledger_.judged()), Number(store.compacted())),
                       Number(store.latest()))};
    Result<std::unique_ptr<store::Watch>> watch =
        store.WatchFrom("", follower->after, follower->sink);
    if (watch.has_value()) {
      follower->watch = *std::move(watch);
      late_.push_back(std::move(follower));
    } else if (watch.error().reason == Reason::Expired) {
      if (follower->after >= store.compacted()) ledger_.Violated(watch.error().Text());
    } else if (watch.error().reason != Reason::ServiceUnavailable) {
      ledger_.Violated("a watch could not be started: " + watch.error().Text());
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(random.Between(1, 100)));
  }
}

void Load::Finish() {
  is_over_ = true;
  for (std::thread& thread : threads_) thread.join();
  const Revision end = PutMarker(sequence_);
  std::vector<Change> truth = ChangesUntil(*followers_.front(), end);
  for (const auto* group : {&followers_, &late_}) {
    for (const auto& follower : *group) {
      const std::vector<Change> changes = ChangesUntil(*follower, end);
      if (follower->sink.end().has_value()) continue;
      const auto first = std::ranges::upper_bound(truth, follower->after, {}, &Change::revision);
      const auto [got, wanted] =
          std::ranges::mismatch(changes, std::ranges::subrange(first, truth.end()), IsSame);
      if (got == changes.end() && wanted == truth.end()) continue;
      ledger_.Violated(fmt::format(
          "a watch from {} told {} changes, not {}; the first that differs is {}, not {}",
          Number(follower->after), changes.size(), truth.end() - first,
          got == changes.end() ? 0 : Number(got->revision),
          wanted == truth.end() ? 0 : Number(wanted->revision)));
    }
  }
  ledger_.Judge(truth);
  CompareLists(end);
}

Revision Load::PutMarker(std::int64_t sequence) {
  const std::string key(kMarker);
  while (true) {
    const Result<std::optional<Record>> record = stores_.front()->Get(key);
    if (!record.has_value()) continue;
    const Attempt attempt{key, ++sequence, record->has_value() ? (*record)->revision : kNoRevision};
    ledger_.Ask(attempt);
    const Result<Revision> result =
        stores_.front()->CommitAndWait({key, MakeValue(key, sequence, 10), attempt.expected});
    ledger_.Answer(attempt, result);
    if (result.has_value()) return *result;
  }
}

std::vector<Change> Load::ChangesUntil(const Follower& follower, Revision end) {
  if (follower.after >= end) return {};
  std::vector<Change> changes;
  do {
    changes = follower.sink.WaitFor(changes.size() + 1);
  } while (!follower.sink.end().has_value() && (changes.empty() || changes.back().revision < end));
  const std::optional<Error> error = follower.sink.end();
  if (error.has_value() && error->reason != Reason::Expired) {
    ledger_.Violated("a watch ended: " + error->Text());
  }
  while (!changes.empty() && changes.back().revision > end) changes.pop_back();
  return changes;
}

void Load::CompareLists(Revision at) {
  for (Store* const store : stores_) {
    const Result<store::Range> range = store->List({.prefix = "", .at = at});
    if (!range.has_value()) return ledger_.Violated("the list: " + range.error().Text());
    std::map<std::string, Revision> found;
    for (const Record& record : range->records) found[record.key] = record.revision;
    if (found == ledger_.state()) continue;
    ledger_.Violated(
        fmt::format("a list shows {} keys that differ from the {} that the changes "
                    "lead to",
                    found.size(), ledger_.state().size()));
  }
}

}  // namespace plimsoll::etcd_faults
