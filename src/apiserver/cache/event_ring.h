#pragma once

#include <deque>
#include <memory>

#include "apiserver/cache/cache_event.h"
#include "base/time.h"

namespace plimsoll::apiserver {

/// Limits of a ring. Events younger than `age_min` are dropped only if there are too many, or if
/// the replaced objects they hold take too much memory.
struct RingBounds {
  std::size_t events_max = 50'000;
  std::size_t bytes_max = 48u << 20;
  Duration age_min = std::chrono::minutes(5);
};

/// Last events of a resource, from which watches resume. The owner's lock guards it.
class EventRing {
 public:
  using Pointer = std::shared_ptr<const CacheEvent>;

  explicit EventRing(const RingBounds& bounds = {}) : bounds_(bounds) {}

  /// Drops all events. The ring then has the events after `floor`.
  void Reset(store::Revision floor);
  /// REQUIRES: the event is later than all others.
  void Push(Pointer event, Instant now);

  /// The ring has all events after this revision.
  store::Revision floor() const { return floor_; }
  std::size_t size() const { return kept_.size(); }

  template <class Visitor>
  void ForEachAfter(store::Revision after, Visitor&& visit) const {
    for (auto entry = FirstAfter(after); entry != kept_.end(); ++entry) visit(entry->event);
  }

 private:
  struct Kept {
    Pointer event;
    Instant since;
    std::size_t bytes = 0;
  };

  std::deque<Kept>::const_iterator FirstAfter(store::Revision after) const;
  bool MustDropOldest(Instant now) const;

  RingBounds bounds_;
  std::deque<Kept> kept_;
  std::size_t bytes_ = 0;
  store::Revision floor_{};
};

}  // namespace plimsoll::apiserver
