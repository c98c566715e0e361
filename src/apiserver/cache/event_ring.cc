#include "apiserver/cache/event_ring.h"

#include <algorithm>
#include <utility>

namespace plimsoll::apiserver {

void EventRing::Reset(store::Revision floor) {
  kept_.clear();
  bytes_ = 0;
  floor_ = floor;
}

void EventRing::Push(Pointer event, Instant now) {
  // The cache holds the new object anyway. Only the replaced object lives on here.
  constexpr std::size_t kEventBytes = 160;
  const std::size_t bytes = kEventBytes + (event->before ? event->before->memory_bytes() : 0);
  bytes_ += bytes;
  kept_.push_back({std::move(event), now, bytes});
  while (MustDropOldest(now)) {
    bytes_ -= kept_.front().bytes;
    floor_ = kept_.front().event->revision;
    kept_.pop_front();
  }
}

bool EventRing::MustDropOldest(Instant now) const {
  if (kept_.empty()) return false;
  return kept_.size() > bounds_.events_max || bytes_ > bounds_.bytes_max ||
         now - kept_.front().since > bounds_.age_min;
}

std::deque<EventRing::Kept>::const_iterator EventRing::FirstAfter(store::Revision after) const {
  return std::ranges::partition_point(
      kept_, [after](const Kept& kept) { return kept.event->revision <= after; });
}

}  // namespace plimsoll::apiserver
