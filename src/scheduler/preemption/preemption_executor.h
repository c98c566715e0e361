#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "api/action.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/framework/framework.h"
#include "scheduler/framework/waiting_pods.h"
#include "scheduler/inflight_actions.h"
#include "scheduler/metrics.h"
#include "scheduler/queue/scheduling_queue.h"
#include "scheduler/stopwatch.h"

namespace plimsoll::scheduler {

/// Carries out the preemptions that PostFilter has decided. Evicts the victims, and holds the
/// preemptor in the queue until the API server has answered all evictions.
class PreemptionExecutor {
 public:
  /// REQUIRES: the arguments outlive this object.
  PreemptionExecutor(const ClusterState& cluster, const Profiles& profiles, SchedulingQueue& queue,
                     WaitingPods& waiting, InflightActions& inflight, SchedulerMetrics& metrics,
                     const Stopwatch& stopwatch);

  /// Evicts the victims of the outcome. REQUIRES: `preemptor` is unschedulable.
  void Evict(PodId preemptor, const PostFilterOutcome& outcome, const api::Turn& turn);
  void OnEvicted(api::ActionId id, const Status& status, const api::Turn& turn);

  /// Returns true if evictions for the pod are not answered yet.
  bool IsPreempting(PodId preemptor) const { return preemptions_.contains(preemptor); }
  /// Ends the pod's preemption. Evictions in flight no longer count for it.
  void Forget(PodId preemptor) { preemptions_.erase(preemptor); }

 private:
  /// Evictions for one preemptor.
  struct Preemption {
    std::uint64_t serial = 0;  // never used again
    std::size_t running = 0;
    bool has_failed = false;
    Duration began = Duration::zero();  // by the stopwatch
  };

  struct Eviction {
    ObjectPtr victim;
    ObjectPtr preemptor;
    std::string node;
    std::string_view profile;
    PodId preemptor_id = kNoPod;
    std::uint64_t preemption = 0;  // its serial
  };

  static void RecordPreempted(const Eviction& eviction, const api::Turn& turn);
  Preemption& PreemptionOf(PodId preemptor);

  const ClusterState& cluster_;
  const Profiles& profiles_;
  SchedulingQueue& queue_;
  WaitingPods& waiting_;
  InflightActions& inflight_;
  SchedulerMetrics& metrics_;
  const Stopwatch& stopwatch_;
  std::map<PodId, Preemption> preemptions_;
  std::map<api::ActionId, Eviction> evictions_;  // in flight
  std::uint64_t serials_ = 0;
};

}  // namespace plimsoll::scheduler
