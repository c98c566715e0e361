#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <iterator>
#include <vector>

#include "base/semver.h"

namespace plimsoll::match {

enum class Comparison : std::uint8_t { Less, Equal, Greater };

inline std::weak_ordering Order(std::int64_t a, std::int64_t b) { return a <=> b; }
inline std::weak_ordering Order(const Semver& a, const Semver& b) { return Compare(a, b); }

/// Returns true if a value with this order relative to the bound satisfies the comparison.
inline bool Fits(Comparison comparison, std::weak_ordering order) {
  if (comparison == Comparison::Less) return order < 0;
  if (comparison == Comparison::Greater) return order > 0;
  return order == 0;
}

/// Ids sorted by value, so that a comparison with a bound is a range. New values go to a short
/// unsorted tail. Removed ones stay until the next Tidy, so a visitor must check that an id
/// still has the value. Thus insertion is cheap, and a query is a range plus a scan of the
/// tail.
template <class T>
class OrderedValues {
 public:
  struct Entry {
    T value;
    std::uint32_t id;
  };

  void Insert(T value, std::uint32_t id) { tail_.push_back({std::move(value), id}); }
  void Forget() { ++forgotten_; }

  /// Calls `visit(entry)` for every value that satisfies the comparison, in no particular order.
  template <class Visitor>
  void ForEach(Comparison comparison, const T& bound, Visitor&& visit) const {
    const auto low = std::ranges::lower_bound(sorted_, bound, Below{}, &Entry::value);
    const auto high = std::ranges::upper_bound(low, sorted_.end(), bound, Below{}, &Entry::value);
    const bool less = comparison == Comparison::Less;
    const bool greater = comparison == Comparison::Greater;
    std::for_each(less ? sorted_.begin() : (greater ? high : low),
                  less ? low : (greater ? sorted_.end() : high), visit);
    for (const Entry& entry : tail_) {
      if (Fits(comparison, Order(entry.value, bound))) visit(entry);
    }
  }

  /// Keeps the tail and the removed values a small part of the whole. `is_current(entry)` returns
  /// false for removed values. The cost is amortized over insertions and removals.
  template <class IsCurrent>
  void Tidy(IsCurrent&& is_current) {
    const std::size_t total = sorted_.size() + tail_.size();
    if (tail_.size() <= kSlack + total / 8 && forgotten_ <= kSlack + total / 2) return;
    const auto stale = [&](const Entry& entry) { return !is_current(entry); };
    std::erase_if(sorted_, stale);
    std::erase_if(tail_, stale);
    std::ranges::sort(tail_, Before{});
    const auto middle = static_cast<std::ptrdiff_t>(sorted_.size());
    std::ranges::move(tail_, std::back_inserter(sorted_));
    std::ranges::inplace_merge(sorted_, sorted_.begin() + middle, Before{});
    // An id that was removed and added again with the same value occurs twice.
    const auto twice = std::ranges::unique(
        sorted_, [](const Entry& a, const Entry& b) { return !Before{}(a, b); });
    sorted_.erase(twice.begin(), twice.end());
    tail_.clear();
    forgotten_ = 0;
  }

  std::size_t MemoryBytes() const {
    return (sorted_.capacity() + tail_.capacity()) * sizeof(Entry);
  }

 private:
  static constexpr std::size_t kSlack = 64;
  struct Below {
    bool operator()(const T& a, const T& b) const { return Order(a, b) < 0; }
  };
  struct Before {
    bool operator()(const Entry& a, const Entry& b) const {
      const std::weak_ordering order = Order(a.value, b.value);
      return order == 0 ? a.id < b.id : order < 0;
    }
  };

  std::vector<Entry> sorted_;
  std::vector<Entry> tail_;
  std::size_t forgotten_ = 0;
};

}  // namespace plimsoll::match
