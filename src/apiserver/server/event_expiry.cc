#include "apiserver/server/event_expiry.h"

#include <algorithm>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

#include "apiserver/strategy/place.h"

namespace plimsoll::apiserver {
namespace {

constexpr Duration kInterval = std::chrono::minutes(1);
// They share a sync: one after the other, a busy cluster would bring more than can go. Few enough
// that those of clients between them need not wait for long.
constexpr std::size_t kDeletedTogether = 64;

/// When it was last written to, as far as it says so itself.
Instant LastSeen(const codec::Value& event) {
  Instant latest{};
  for (const std::string_view text : {TextAt(event, "lastTimestamp"), TextAt(event, "eventTime"),
                                      TextAt(event, "series", "lastObservedTime"),
                                      TextAt(event, "metadata", "creationTimestamp")}) {
    if (text.empty()) continue;
    if (const Result<Instant> time = ParseTime(text)) latest = std::max(latest, *time);
  }
  return latest;
}

}  // namespace

/// Outlives the owner while a timer or a worker still holds it.
struct EventExpiry::Shared {
  store::Store& store;
  Cache& cache;
  const Resource& events;
  Clock& clock;
  Logger& log;
  WorkerPool& workers;
  const Duration lifetime;
  std::mutex mutex;  // held while it works; the owner's end waits for it
  bool is_over = false;

  /// How far the store had come at a sweep.
  struct Mark {
    Instant time;
    store::Revision revision{};
  };
  std::deque<Mark> marks = {};  // of sweeps that are younger than the lifetime

  int Sweep() {
    const Instant now = clock.Now();
    const Instant deadline = now - lifetime;
    const store::Revision young = YoungFrom(deadline);
    marks.push_back({now, cache.revision()});
    int deleted = 0;
    std::vector<store::Write> old;
    for (const ObjectPtr& event : cache.List(events, {}).objects) {
      // Nothing of what is written later need be read.
      if (event->revision() > young) continue;
      // One that cannot be read is as old as its revision.
      const auto decoded = event->Decode();
      if (decoded != nullptr && LastSeen(decoded->tree()) > deadline) continue;
      old.push_back({events.KeyOf(event->namespace_(), event->name()), nullptr, event->revision()});
      if (old.size() == kDeletedTogether) deleted += Delete(std::exchange(old, {}));
    }
    deleted += Delete(std::move(old));
    if (deleted > 0) PL_LOG(log, Info(2), "Deleted old events", {"count", deleted});
    return deleted;
  }

  /// What has a later revision was written after the deadline.
  store::Revision YoungFrom(Instant deadline) {
    while (!marks.empty() && marks.front().time < deadline) marks.pop_front();
    return marks.empty() ? cache.revision() : marks.front().revision;
  }

  /// How many of them were deleted; others have changed since.
  int Delete(std::vector<store::Write> old) {
    const auto results = store.CommitAllAndWait(std::move(old));
    return static_cast<int>(std::ranges::count_if(
        results, [](const Result<store::Revision>& result) { return result.has_value(); }));
  }
};

EventExpiry::EventExpiry(store::Store& store, Cache& cache, const Resource& events, Clock& clock,
                         Logger& log, WorkerPool& workers, Duration lifetime)
    : shared_(new Shared{store, cache, events, clock, log, workers, lifetime, {}, false, {}}) {
  Schedule(shared_);
}

EventExpiry::~EventExpiry() {
  const std::scoped_lock lock(shared_->mutex);
  shared_->is_over = true;
}

int EventExpiry::Sweep() {
  const std::scoped_lock lock(shared_->mutex);
  return shared_->Sweep();
}

void EventExpiry::Schedule(const std::shared_ptr<Shared>& shared) {
  shared->clock.At(shared->clock.Now() + kInterval, [shared] {
    const std::scoped_lock lock(shared->mutex);
    if (shared->is_over) return;
    shared->workers.Run([shared] {
      const std::scoped_lock work(shared->mutex);
      if (shared->is_over) return;
      shared->Sweep();
      Schedule(shared);
    });
  });
}

}  // namespace plimsoll::apiserver
