#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "scheduler/cluster/node_row.h"
#include "scheduler/framework/cluster_event.h"
#include "scheduler/metrics.h"

namespace plimsoll::scheduler {

/// What happened while pods were neither waiting nor placed, so that a pod that comes back refused
/// does not sleep through the event that would have helped it.
class EventLog {
 public:
  /// With metrics, which must outlive it, what is kept is counted.
  explicit EventLog(SchedulerMetrics* metrics = nullptr) : metrics_(metrics) {}

  /// Nobody watches, and nothing is kept.
  bool empty() const { return watchers_.empty(); }
  bool IsWatching(PodId pod) const { return start_of(pod) != kNotWatching; }

  /// From now on events are kept for the pod.
  void Watch(PodId pod);
  /// No longer; what nobody else watches for is forgotten.
  void Unwatch(PodId pod);

  void Note(const ClusterEvent& event);

  /// Calls `visit(event)` for what happened since Watch, in order, until it returns false.
  template <class Visitor>
  void Replay(PodId pod, Visitor&& visit) const {
    const std::uint64_t start = start_of(pod);
    if (start == kNotWatching) return;
    for (std::size_t i = start - base_; i < entries_.size(); ++i) {
      if (!visit(entries_[i])) return;
    }
  }

 private:
  static constexpr std::uint64_t kNotWatching = ~std::uint64_t{0};

  std::uint64_t start_of(PodId pod) const {
    return pod < starts_.size() ? starts_[pod] : kNotWatching;
  }

  void Count(std::string_view label, double by) {
    if (metrics_ != nullptr) metrics_->InFlight(label, by);
  }

  SchedulerMetrics* const metrics_;
  std::deque<ClusterEvent> entries_;
  std::uint64_t base_ = 0;                              // the number of the first entry
  std::vector<std::uint64_t> starts_;                   // by PodId
  std::set<std::pair<std::uint64_t, PodId>> watchers_;  // the earliest first
};

}  // namespace plimsoll::scheduler
