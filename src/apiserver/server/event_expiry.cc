#include "apiserver/server/event_expiry.h"

#include <mutex>

#include "apiserver/strategy/place.h"

namespace plimsoll::apiserver {
namespace {

constexpr Duration kInterval = std::chrono::minutes(1);

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

  int Sweep() {
    const Instant deadline = clock.Now() - lifetime;
    int deleted = 0;
    for (const ObjectPtr& event : cache.List(events, {}).objects) {
      if (LastSeen(event->Decode()->tree()) > deadline) continue;
      const auto result = store.CommitAndWait(
          {events.KeyOf(event->namespace_(), event->name()), nullptr, event->revision()});
      if (result) ++deleted;
    }
    if (deleted > 0) PL_LOG(log, Info(2), "Deleted old events", {"count", deleted});
    return deleted;
  }
};

EventExpiry::EventExpiry(store::Store& store, Cache& cache, const Resource& events, Clock& clock,
                         Logger& log, WorkerPool& workers, Duration lifetime)
    : shared_(new Shared{store, cache, events, clock, log, workers, lifetime, {}, false}) {
  Schedule(shared_);
}

EventExpiry::~EventExpiry() {
  const std::scoped_lock lock(shared_->mutex);
  shared_->is_over = true;
}

int EventExpiry::Sweep() { return shared_->Sweep(); }

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
