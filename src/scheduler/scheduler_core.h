#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "scheduler/attempt_metrics.h"
#include "scheduler/attempt_preparation.h"
#include "scheduler/binding/binding_cycle.h"
#include "scheduler/failure/failure_handler.h"
#include "scheduler/failure/fault_log.h"
#include "scheduler/failure/refusal_cache.h"
#include "scheduler/framework/waiting_pods.h"
#include "scheduler/inflight_actions.h"
#include "scheduler/metrics.h"
#include "scheduler/preemption/nominator.h"
#include "scheduler/preemption/preemption_executor.h"
#include "scheduler/queue/scheduling_queue.h"
#include "scheduler/scheduler.h"
#include "scheduler/stopwatch.h"

namespace plimsoll::scheduler {

/// Implementation of Scheduler. Passes changed objects to the cluster state and the queue, and
/// runs the scheduling cycle. Its parts do the rest. scheduler.cc has the loop,
/// scheduler_objects.cc applies changed objects, and scheduler_cycle.cc runs attempts.
class Scheduler::Core {
 public:
  Core(SchedulerOptions options, MetricsRegistry& metrics);

  void Observe(const CoreInput& event, const Turn& turn);
  void Wake(const Turn& turn);
  std::optional<Instant> NextWake() const;

  const ClusterState& cluster() const { return cluster_; }
  Framework* FindProfile(std::string_view name);
  PendingCounts pending() const;
  std::size_t assumed() const { return binding_.assumed(); }
  const Diagnosis* LastDiagnosis(const api::ObjectMeta& pod);

 private:
  std::optional<std::size_t> ProfileOf(const api::Pod& pod) const;
  void OnActionFinished(const ActionFinished& finished, const Turn& turn);
  void PublishSizes();

  // Objects.
  void OnObjectChanged(const ObjectChanged& change, const Turn& turn);
  void OnPod(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn);
  void OnPodDeleted(const api::Object& pod, const Turn& turn);
  void OnAssignedPod(const ObjectPtr& pod, PodId id, const Turn& turn);
  void OnPendingPod(const ObjectPtr& pod, PodId id, std::size_t profile, const Turn& turn);
  void OnNewPendingPod(const ObjectPtr& pod, std::size_t profile, const Turn& turn);
  /// Keeps a pod with invalid annotations out of the queue until they change.
  void OnInvalidPod(const ObjectPtr& before, PodId id, std::size_t profile, const Turn& turn);
  /// Applies a change of the pod's nominatedNodeName.
  void OnNominatedNode(PodId id, const ObjectPtr& before, const Turn& turn);
  std::vector<ClusterEvent> PodEvents(const ObjectPtr& before, const ObjectPtr& after,
                                      EventResource resource);
  void OnNode(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn);
  void OnDevices(const ObjectChanged& change, const Turn& turn);
  void OnOther(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn);
  /// Returns the actions on the resource that may help some pod.
  EventActions AwaitedActions(EventResource resource) const;
  /// Notifies the queue, and the pods that wait at PreBind.
  void PublishEvent(const ClusterEvent& event, const Turn& turn, PodId except = kNoPod);
  void RecordEventHandled(std::string_view label);

  // The scheduling cycle.
  void ScheduleOne(PodId id, const Turn& turn);
  /// Explains why no node fits, runs PostFilter, and returns the pod to the queue.
  void RunPostFilter(PodId id, Duration began, const Turn& turn);
  /// Keeps a pod whose attempt threw out of the queue until its class changes.
  void SetAside(PodId id, std::string_view fault, const Turn& turn);

  const SchedulerOptions options_;
  const Stopwatch stopwatch_;
  ClusterState cluster_;
  WaitingPods waiting_;  // must outlive the plugins
  Profiles profiles_;
  SchedulerMetrics metrics_;
  SchedulingQueue queue_;
  InflightActions inflight_;
  AttemptMetrics attempt_metrics_;
  AttemptPreparation preparation_;
  RefusalCache refusals_;
  FaultLog fault_log_;
  FailureHandler failures_;
  Nominator nominator_;
  PreemptionExecutor preemption_;
  BindingCycle binding_;

  Random random_;
  bool is_synced_ = false;
  bool is_report_due_ = false;                // the metrics are older than the last Observe
  std::uint64_t attempts_ = 0;                // attempts that ran the plugins
  Duration event_began_ = Duration::zero();   // start of event handling, by the stopwatch
  std::map<PodId, std::uint64_t> set_aside_;  // serial of the class of each
};

}  // namespace plimsoll::scheduler
