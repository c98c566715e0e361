#include "apiserver/server/event_expiry.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "apiserver/strategy/object_editor.h"

namespace plimsoll::apiserver {
namespace {

constexpr Duration kInterval = std::chrono::minutes(1);
// Deletions in one commit. They are enough per fsync to keep up with a busy cluster, and so few
// that writes of clients do not wait for long.
constexpr std::size_t kDeletedTogether = 64;

/// Returns the latest time in the event.
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

EventExpiry::EventExpiry(store::Store& store, Cache& cache, const Resource& events, Clock& clock,
                         Logger& log, WorkerPool& workers, Duration lifetime)
    : store_(store),
      cache_(cache),
      events_(events),
      clock_(clock),
      log_(log),
      lifetime_(lifetime),
      timer_(clock, {.interval = kInterval, .workers = &workers}, [this](Instant) { Sweep(); }) {}

int EventExpiry::Sweep() {
  const std::lock_guard lock(mutex_);
  const Instant now = clock_.Now();
  const Instant deadline = now - lifetime_;
  const store::Revision last_old = LastBefore(deadline);
  marks_.push_back({now, cache_.revision()});
  int deleted = 0;
  std::vector<store::Write> old;
  for (const ObjectPtr& event : cache_.List(events_, {}).objects) {
    // Young by its revision, whatever it says: it need not be decoded.
    if (event->revision() > last_old) continue;
    // An event that cannot be decoded is as old as its revision.
    const auto decoded = event->Decode();
    if (decoded && LastSeen((*decoded)->tree()) > deadline) continue;
    old.push_back({events_.KeyOf(event->namespace_(), event->name()), nullptr, event->revision()});
    if (old.size() == kDeletedTogether) deleted += Delete(std::exchange(old, {}));
  }
  deleted += Delete(std::move(old));
  if (deleted > 0) PL_LOG(log_, Info(2), "Deleted old events", {"count", deleted});
  return deleted;
}

store::Revision EventExpiry::LastBefore(Instant deadline) {
  while (!marks_.empty() && marks_.front().time < deadline) marks_.pop_front();
  return marks_.empty() ? cache_.revision() : marks_.front().revision;
}

int EventExpiry::Delete(std::vector<store::Write> old) {
  const auto results = store_.CommitAllAndWait(std::move(old));
  return static_cast<int>(std::ranges::count_if(
      results, [](const Result<store::Revision>& result) { return result.has_value(); }));
}

}  // namespace plimsoll::apiserver
