#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "base/time.h"

namespace plimsoll::controller {

/// Which of many is due first. Ids are small and dense; each waits for at most one time, which may
/// be moved or taken back. 16 bytes for one that waits, 4 for each id up to the greatest. Equal
/// times come in the order of the ids.
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
  /// There must be one.
  const Entry& first() const {
    PL_ASSERT(!heap_.empty());
    return heap_.front();
  }
  std::optional<Instant> NextWake() const {
    return heap_.empty() ? std::nullopt : std::optional(heap_.front().when);
  }

  /// Moves the id when it waits already.
  void Set(Id id, Instant when) {
    if (id >= places_.size()) places_.resize(std::size_t{id} + 1, kNowhere);
    std::uint32_t place = places_[id];
    if (place == kNowhere) {
      place = static_cast<std::uint32_t>(heap_.size());
      heap_.push_back({});
    }
    Settle(place, {when, id});
  }
  /// False when it did not wait.
  bool Erase(Id id) {
    if (!Contains(id)) return false;
    const std::uint32_t place = std::exchange(places_[id], kNowhere);
    const Entry last = heap_.back();
    heap_.pop_back();
    if (place < heap_.size()) Settle(place, last);
    return true;
  }
  /// The first one that is due, which then no longer waits.
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
  /// Fills the gap at `place` with the entry, or with what must stand above or below it.
  void Settle(std::uint32_t place, const Entry& entry) {
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
  std::vector<std::uint32_t> places_;  // by id
};

}  // namespace plimsoll::controller
