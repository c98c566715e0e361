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

/// Events that happened while pods were in flight (popped, not yet placed). If the attempt
/// fails, the pod replays them, so that it does not miss the event that would have helped it.
class EventLog {
 public:
  /// If `metrics` is set, it counts the stored events. It must outlive the log.
  explicit EventLog(SchedulerMetrics* metrics = nullptr) : metrics_(metrics) {}

  /// Returns true if no pod is watching. Then no events are stored.
  bool empty() const { return watchers_.empty(); }

  /// Starts storing events for the pod.
  void Watch(PodId pod);
  /// Stops storing events for the pod. Drops those that no other pod watches for.
  void Unwatch(PodId pod);

  void Append(const ClusterEvent& event);

  /// Calls `visit(event)` for the events since Watch, in order, until it returns false.
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
  std::uint64_t base_ = 0;                              // number of the first entry
  std::vector<std::uint64_t> starts_;                   // indexed by PodId
  std::set<std::pair<std::uint64_t, PodId>> watchers_;  // earliest first
};

}  // namespace plimsoll::scheduler
