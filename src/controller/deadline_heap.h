#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/time.h"

namespace plimsoll::controller {

/// Priority queue of ids by deadline. Ids are small and dense; each has at most one deadline, which
/// may be moved or removed. Uses 16 bytes per queued id and 4 per id up to the greatest. Equal
/// deadlines are ordered by id.
class DeadlineHeap {
 public:
  using Id = std::uint32_t;

  struct Entry {
    Instant when;
    Id id = 0;

    friend auto operator<=>(const Entry&, const Entry&) = default;
  };

  bool empty() const { return heap_.empty(); }
  std::size_t size() const { return heap_.size(); }
  bool Contains(Id id) const { return id < places_.size() && places_[id] != kNowhere; }
  /// Returns the entry with the earliest deadline. REQUIRES: the heap is not empty.
  const Entry& first() const {
    PL_ASSERT(!heap_.empty());
    return heap_.front();
  }
  std::optional<Instant> NextWake() const {
    return heap_.empty() ? std::nullopt : std::optional(heap_.front().when);
  }

  /// Adds the id, or moves it to the new deadline if it is queued.
  void Set(Id id, Instant when) {
    if (id >= places_.size()) places_.resize(std::size_t{id} + 1, kNowhere);
    std::uint32_t place = places_[id];
    if (place == kNowhere) {
      place = static_cast<std::uint32_t>(heap_.size());
      heap_.push_back({});
    }
    Sift(place, {when, id});
  }
  /// Removes the id. Returns false if it was not queued.
  bool Erase(Id id) {
    if (!Contains(id)) return false;
    const std::uint32_t place = std::exchange(places_[id], kNowhere);
    const Entry last = heap_.back();
    heap_.pop_back();
    if (place < heap_.size()) Sift(place, last);
    return true;
  }
  /// Removes and returns the first entry if it is due.
  std::optional<Entry> Take(Instant now) {
    if (heap_.empty() || heap_.front().when > now) return std::nullopt;
    const Entry entry = heap_.front();
    Erase(entry.id);
    return entry;
  }

 private:
  static constexpr std::uint32_t kNowhere = 0xffff'ffff;

  void Put(std::uint32_t place, const Entry& entry) {
    heap_[place] = entry;
    places_[entry.id] = place;
  }
  /// Puts the entry into the gap at `place` and moves it up or down to restore the heap order.
  void Sift(std::uint32_t place, const Entry& entry) {
    while (place > 0 && entry < heap_[(place - 1) / 2]) {
      Put(place, heap_[(place - 1) / 2]);
      place = (place - 1) / 2;
    }
    for (;;) {
      std::uint32_t child = 2 * place + 1;
      if (child >= heap_.size()) break;
      if (child + 1 < heap_.size() && heap_[child + 1] < heap_[child]) ++child;
      if (entry < heap_[child]) break;
      Put(place, heap_[child]);
      place = child;
    }
    Put(place, entry);
  }

  std::vector<Entry> heap_;
  std::vector<std::uint32_t> places_;  // index into heap_ by id
};

}  // namespace plimsoll::controller
