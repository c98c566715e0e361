#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "scheduler/cluster/node_row.h"
#include "scheduler/framework/verdict.h"

namespace plimsoll::scheduler {

/// Pods that have a node but are not bound yet, because plugins hold them at Permit. A pod
/// continues when every plugin that holds it has allowed it. The first rejection or timeout ends
/// its wait. Plugins may decide at any time on the scheduler's thread. Decisions are applied after
/// that call.
class WaitingPods {
 public:
  struct Hold {
    std::string_view plugin;
    Duration timeout;
  };
  struct Decision {
    PodId pod = kNoPod;
    Verdict verdict;  // Success, or Unschedulable with the plugin that rejected it
    Duration waited = Duration::zero();
  };

  // For plugins.

  bool IsWaiting(PodId pod) const { return entries_.contains(pod); }
  std::vector<PodId> pods() const;
  /// Allows the pod. No effect if the plugin does not hold it.
  void Allow(PodId pod, std::string_view plugin);
  /// Rejects the pod. The plugin need not hold it.
  void Reject(PodId pod, std::string_view plugin, std::string message);

  // For the scheduler.

  /// Starts the wait of a pod. REQUIRES: `holds` is not empty.
  void Add(PodId pod, const std::vector<Hold>& holds, Instant now);
  void Remove(PodId pod) { entries_.erase(pod); }
  /// Returns the earliest deadline of the plugins that hold the pod.
  std::optional<Instant> Deadline(PodId pod) const;
  /// Rejects the pod if its deadline has passed.
  void Expire(PodId pod, Instant now);
  bool HasDecision() const { return !decided_.empty(); }
  /// Removes and returns the next pod whose wait has ended.
  std::optional<Decision> PopDecision(Instant now);

 private:
  struct Entry {
    std::vector<Hold> holds;
    Instant since;
    std::optional<Verdict> verdict;  // the first decision counts
  };

  void Decide(PodId pod, Entry& entry, Verdict verdict);
  static const Hold* FirstToEnd(const Entry& entry);

  std::map<PodId, Entry> entries_;
  std::deque<PodId> decided_;  // entries may be removed meanwhile, and even added again
};

}  // namespace plimsoll::scheduler
