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

/// Pods that have a node and are not bound yet because plugins told them to wait at Permit. A pod
/// goes on when every plugin that holds it has let it go; the first that rejects it ends its wait,
/// and so does a time that is over. Plugins speak here at any time on the scheduler's thread, and
/// what they say is carried out after the call in which they say it.
class WaitingPods {
 public:
  /// A plugin that wants more gets this.
  static constexpr Duration kTimeoutMax = std::chrono::minutes(15);

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
  /// Nothing happens when the plugin does not hold the pod.
  void Allow(PodId pod, std::string_view plugin);
  /// By any plugin, whether it holds the pod or not.
  void Reject(PodId pod, std::string_view plugin, std::string message);

  // For the scheduler.

  /// Held by at least one plugin, from now on.
  void Add(PodId pod, const std::vector<Hold>& holds, Instant now);
  void Remove(PodId pod) { entries_.erase(pod); }
  /// When the first of the plugins that hold it must have spoken.
  std::optional<Instant> Deadline(PodId pod) const;
  /// Rejects the pod if that is over.
  void Expire(PodId pod, Instant now);
  bool HasDecision() const { return !decided_.empty(); }
  /// The next pod whose wait has ended; it is then no longer here.
  std::optional<Decision> TakeDecision(Instant now);

 private:
  struct Entry {
    std::vector<Hold> holds;
    Instant since;
    std::optional<Verdict> verdict;  // the first counts
  };

  void Decide(PodId pod, Entry& entry, Verdict verdict);
  static const Hold* FirstToEnd(const Entry& entry);

  std::map<PodId, Entry> entries_;
  std::deque<PodId> decided_;  // may be gone meanwhile, and even be back
};

}  // namespace plimsoll::scheduler
