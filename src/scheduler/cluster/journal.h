#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "match/index/label_column.h"
#include "scheduler/cluster/pod_class.h"

namespace plimsoll::scheduler {

using match::NodeSlot;
inline constexpr NodeSlot kNoNode = 0xffff'ffff;

/// Changes of a node, as bits.
enum Change : std::uint16_t {
  kNodeAdded = 1 << 0,
  kNodeRemoved = 1 << 1,
  kLabels = 1 << 2,
  kTaints = 1 << 3,
  kUnschedulable = 1 << 4,
  kAllocatable = 1 << 5,
  kImages = 1 << 6,
  kPodAdded = 1 << 7,
  kPodRemoved = 1 << 8,
  kNominations = 1 << 9,
  kPodTerminating = 1 << 10,  // a pod started terminating; it still counts for resources
  kFeatures = 1 << 11,
};
using Changes = std::uint16_t;

inline constexpr Changes kPods = kPodAdded | kPodRemoved;
inline constexpr Changes kAnyChange = 0xffff;

struct JournalEntry {
  NodeSlot slot = kNoNode;
  Changes changes = 0;
  ClassId pod_class = Interner::kNone;  // with kPodAdded, kPodRemoved, kPodTerminating
};

/// The latest changes of nodes, in order. A cache that depends on nodes stores the position that it
/// has read up to, and catches up at its next query. A cache that is too far behind rebuilds. So
/// the cost of a change does not depend on the number of caches.
class Journal {
 public:
  using Position = std::uint64_t;

  void Append(const JournalEntry& entry) { entries_.push_back(entry); }
  Position end() const { return base_ + entries_.size(); }
  /// Returns the entries after `position`, or nullopt if some of them were dropped.
  std::optional<std::span<const JournalEntry>> Since(Position position) const {
    if (position < base_ || position > end()) return std::nullopt;
    return std::span(entries_).subspan(position - base_);
  }
  /// Drops the older half if there are more than `limit` entries.
  void Trim(std::size_t limit);
  std::size_t MemoryBytes() const { return entries_.capacity() * sizeof(JournalEntry); }

 private:
  std::vector<JournalEntry> entries_;
  Position base_ = 1;  // so that position 0 is always too old
};

}  // namespace plimsoll::scheduler
