#pragma once

#include <cstdint>

#include "base/time.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/framework.h"
#include "scheduler/queue/scheduling_queue.h"
#include "scheduler/stopwatch.h"

namespace plimsoll::scheduler {

/// Does the slow part of attempts in advance, within budgets, so that a costly pod does not delay
/// the others. A pod whose budget is spent continues in a later attempt. Budgets are smaller while
/// other pods wait, and those are shared by all attempts of one Wake.
class AttemptPreparation {
 public:
  /// REQUIRES: the references outlive this object.
  AttemptPreparation(ClusterState& cluster, const SchedulingQueue& queue,
                     const Stopwatch& stopwatch, std::uint64_t expression_budget)
      : cluster_(cluster),
        queue_(queue),
        stopwatch_(stopwatch),
        expression_budget_(expression_budget) {}

  /// Renews the budgets.
  void StartWake();
  /// Prepares the pod's attempt. Returns false if a budget is spent and work remains.
  bool Prepare(Framework& framework, const PodUnderTest& pod);
  /// Spends the rest of this Wake.
  void EndWake() { is_wake_spent_ = true; }
  /// Returns true if this Wake must end, so that the caller can deliver new events.
  bool is_wake_spent() const { return is_wake_spent_; }

 private:
  /// Evaluates the expressions of the pod's tolerations.
  bool PrepareExpressions(const PodUnderTest& pod);
  /// Counts the pods that affinity and spread constraints need.
  bool PrepareCounts(Framework& framework, const PodUnderTest& pod);
  /// Ends this Wake if the preparation has taken long, because pods may have arrived meanwhile.
  void LimitWake(bool is_prepared);

  ClusterState& cluster_;
  const SchedulingQueue& queue_;
  const Stopwatch& stopwatch_;
  const std::uint64_t expression_budget_;
  Duration wake_began_ = Duration::zero();
  bool is_wake_spent_ = false;
  // Spent in this Wake while other pods waited.
  std::uint64_t contended_cost_ = 0;  // of expressions
  std::uint64_t contended_work_ = 0;  // nodes and pods visited by Prepare
};

}  // namespace plimsoll::scheduler
