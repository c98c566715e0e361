#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/assert.h"
#include "scheduler/cluster/node_row.h"

namespace plimsoll::scheduler {

/// Heap of pods, smallest key first. Any pod can be removed. REQUIRES: keys are unique, otherwise
/// the order would not be deterministic.
template <class Key>
class PodHeap {
 public:
  bool empty() const { return entries_.empty(); }
  std::size_t size() const { return entries_.size(); }
  bool Contains(PodId id) const { return id < indices_.size() && indices_[id] != kNowhere; }
  PodId top() const { return entries_.front().id; }
  const Key& top_key() const { return entries_.front().key; }

  /// REQUIRES: the pod is not in the heap.
  void Push(PodId id, const Key& key) {
    PL_ASSERT(!Contains(id));
    if (id >= indices_.size()) {
      indices_.resize(std::max<std::size_t>(id + 1, indices_.size() * 2), kNowhere);
    }
    entries_.emplace_back();
    Rise(entries_.size() - 1, Entry{key, id});
  }

  PodId Pop() {
    const PodId id = top();
    EraseAt(0);
    return id;
  }

  /// Returns false if the pod is not in the heap.
  bool Erase(PodId id) {
    if (!Contains(id)) return false;
    EraseAt(indices_[id]);
    return true;
  }

 private:
  struct Entry {
    Key key;
    PodId id = kNoPod;
  };
  // Four children per node: half the levels of a binary heap, and siblings are adjacent.
  static constexpr std::size_t kChildren = 4;
  static constexpr std::uint32_t kNowhere = 0xffff'ffff;

  void Put(std::size_t index, const Entry& entry) {
    entries_[index] = entry;
    indices_[entry.id] = static_cast<std::uint32_t>(index);
  }

  void Rise(std::size_t index, const Entry& entry) {
    while (index > 0) {
      const std::size_t parent = (index - 1) / kChildren;
      if (!(entry.key < entries_[parent].key)) break;
      Put(index, entries_[parent]);
      index = parent;
    }
    Put(index, entry);
  }

  void Sink(std::size_t index, const Entry& entry) {
    while (true) {
      const std::size_t first = index * kChildren + 1;
      if (first >= entries_.size()) break;
      std::size_t least = first;
      const std::size_t end = std::min(first + kChildren, entries_.size());
      for (std::size_t child = first + 1; child < end; ++child) {
        if (entries_[child].key < entries_[least].key) least = child;
      }
      if (!(entries_[least].key < entry.key)) break;
      Put(index, entries_[least]);
      index = least;
    }
    Put(index, entry);
  }

  void EraseAt(std::size_t index) {
    indices_[entries_[index].id] = kNowhere;
    const Entry last = entries_.back();
    entries_.pop_back();
    if (index == entries_.size()) return;
    if (index > 0 && last.key < entries_[(index - 1) / kChildren].key) {
      Rise(index, last);
    } else {
      Sink(index, last);
    }
  }

  std::vector<Entry> entries_;
  std::vector<std::uint32_t> indices_;  // indexed by PodId
};

}  // namespace plimsoll::scheduler
