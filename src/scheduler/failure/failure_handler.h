#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/action.h"
#include "scheduler/attempt_metrics.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/failure/refusal_cache.h"
#include "scheduler/framework/framework.h"
#include "scheduler/inflight_actions.h"
#include "scheduler/metrics.h"
#include "scheduler/queue/scheduling_queue.h"
#include "scheduler/stopwatch.h"

namespace plimsoll::scheduler {

/// Ends attempts that found no node: counts them, reports them by an event and the condition
/// PodScheduled, and returns the pod to the queue. Upstream's handleSchedulingFailure.
class FailureHandler {
 public:
  /// REQUIRES: the arguments outlive this object.
  FailureHandler(const ClusterState& cluster, const Profiles& profiles, SchedulingQueue& queue,
                 InflightActions& inflight, RefusalCache& refusals, AttemptMetrics& attempt_metrics,
                 SchedulerMetrics& metrics, const Stopwatch& stopwatch);

  // REQUIRES for these: the pod is out of the queue. `began` is the start of the attempt.

  /// Handles a pod that no node can take. `nominated` is set if nominatedNodeName must change.
  void Refuse(PodId id, RefusalCache::Shared diagnosis, std::optional<std::string> nominated,
              Duration began, const api::Turn& turn);
  /// Same, but requests PostFilter's writes, and delays the report until they have finished.
  void RefuseAfterWrites(PodId id, RefusalCache::Shared diagnosis, std::vector<api::Write> writes,
                         std::optional<std::string> nominated, Duration began,
                         const api::Turn& turn);
  /// Handles an attempt that failed for another reason than the pod.
  void Fail(PodId id, Duration began, std::string message, const api::Turn& turn);
  /// Reports an attempt that threw an exception. The pod is not returned to the queue.
  void ReportFault(PodId id, std::string_view fault, const api::Turn& turn);

  /// Sends the delayed report that waits for this action. Returns false if there is none.
  bool OnWritesFinished(PodId id, api::ActionId action, const Status& status,
                        const api::Turn& turn);
  /// Drops the pod's delayed report.
  void CancelReport(PodId id) { delayed_.erase(id); }
  /// Forgets the failures of a pod that is bound or deleted.
  void Forget(PodId id);

  /// Reports a pod that is deleted before it was scheduled.
  void ReportSkipped(PodId id, const api::Turn& turn) const;
  /// Reports a pod that is not in the queue because its annotations are invalid.
  void ReportInvalidAnnotations(PodId id, std::size_t profile, const api::Turn& turn);

 private:
  struct DelayedReport {
    api::ActionId action = 0;
    std::optional<std::string> nominated;
  };

  std::string_view ProfileName(std::size_t profile) const {
    return profiles_[profile]->options().profile;
  }
  /// Records an event with the warning, and patches the condition if it changes.
  void Report(PodId id, std::string_view reason, std::string message,
              std::optional<std::string> nominated, const api::Turn& turn);
  void Warn(const ObjectPtr& pod, std::size_t profile, std::string_view reason,
            std::string_view note, const api::Turn& turn) const;
  /// Counts the refusal, and returns the pod to the queue.
  void Requeue(PodId id, RefusalCache::Shared diagnosis, Duration began, Instant now);

  const ClusterState& cluster_;
  const Profiles& profiles_;
  SchedulingQueue& queue_;
  InflightActions& inflight_;
  RefusalCache& refusals_;
  AttemptMetrics& attempt_metrics_;
  SchedulerMetrics& metrics_;
  const Stopwatch& stopwatch_;
  std::map<PodId, DelayedReport> delayed_;
};

}  // namespace plimsoll::scheduler
