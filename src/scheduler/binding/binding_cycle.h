#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/action.h"
#include "scheduler/cluster/cluster_state.h"
#include "scheduler/failure/failure_handler.h"
#include "scheduler/framework/framework.h"
#include "scheduler/framework/waiting_pods.h"
#include "scheduler/inflight_actions.h"
#include "scheduler/metrics.h"
#include "scheduler/queue/scheduling_queue.h"
#include "scheduler/stopwatch.h"

namespace plimsoll::scheduler {

/// Progress of a pod between the decision and the confirmed binding.
///
///   None ─▶ Permit ─▶ PreBind ─▶ Binding ─▶ Bound ─▶ None
///                                 │    ▲
///                                 ▼    │ timer
///                               Retrying ─▶ Unsettled
///
/// A failure leads back to None from every state but Bound.
enum class BindingState : std::uint8_t {
  None,       // pending, or confirmed as bound
  Permit,     // held by plugins at Permit
  PreBind,    // a plugin waits for an event or a write
  Binding,    // request sent, no response yet
  Retrying,   // result unknown; the request will be sent again
  Unsettled,  // Conflict on a retry: wait for the informer to show whether it is bound
  Bound,      // succeeded; waiting for the informer to confirm
};

/// Takes pods from the chosen node to the confirmed binding: assume, Reserve, Permit, PreBind, the
/// binding, PostBind. Never blocks; each pod is a state machine.
///
/// An assumed pod counts on its node. While the result of a binding is unknown, the same binding
/// is sent again, never one to another node.
class BindingCycle {
 public:
  /// REQUIRES: the arguments outlive this object.
  BindingCycle(ClusterState& cluster, const Profiles& profiles, SchedulingQueue& queue,
               WaitingPods& waiting, InflightActions& inflight, FailureHandler& failures,
               SchedulerMetrics& metrics, const Stopwatch& stopwatch);

  BindingState state(PodId id) const {
    return id < bindings_.size() ? bindings_[id].state : BindingState::None;
  }
  /// Number of assumed pods whose binding is not confirmed yet.
  std::size_t assumed() const { return assumed_; }
  /// Returns true if a pod waits at PreBind, so that OnEvent must get every event.
  bool HasEventWaits() const { return !event_waits_.empty(); }

  /// Assumes the pod on the node, and runs the plugins as far as they allow. `began` is the start
  /// of the attempt. Returns false if a Reserve plugin refused the pod.
  bool Start(PodId id, NodeSlot node, Duration began, const api::Turn& turn);
  /// Ends the binding of a pod that was deleted, or whose attempt threw.
  void Cancel(PodId id, const api::Turn& turn);

  /// Handles the informer's news that the pod is bound to `node`. The pod leaves the queue.
  void OnPodBound(PodId id, std::string_view node, const api::Turn& turn);
  /// Fails the pods that wait at Permit or PreBind for this node.
  void OnNodeDeleted(std::string_view node, const api::Turn& turn);
  /// Continues the pods whose PreBind plugins wait for such an event.
  void OnEvent(const ClusterEvent& event, const api::Turn& turn);

  // Outcomes of actions. Return false if the pod does not wait for the action.
  bool OnBindFinished(PodId id, api::ActionId action, const Status& status, const api::Turn& turn);
  bool OnWritesFinished(PodId id, api::ActionId action, const Status& status,
                        const api::Turn& turn);

  /// Applies the plugins' decisions about pods that wait at Permit.
  void ApplyPermitDecisions(const api::Turn& turn);
  /// Retries what is due.
  void RunTimers(const api::Turn& turn);
  std::optional<Instant> NextTimer() const {
    return timers_.empty() ? std::nullopt : std::optional(timers_.begin()->first);
  }

 private:
  struct PodBinding {
    BindingState state = BindingState::None;
    bool is_confirmed = false;  // the informer has seen it bound to this node
    NodeSlot slot = kNoNode;
    std::uint16_t plugin = 0;    // with PreBind: index in At<PreBindPlugin>()
    std::uint32_t unknowns = 0;  // responses with an unknown result
    api::ActionId action = 0;    // with Binding, and with PreBind during a write
    std::string node;            // name of the node
    std::optional<Instant> timer;
    Duration began = Duration::zero();  // start of the attempt, by the stopwatch
    Duration sent = Duration::zero();   // time of the bind request
  };

  const Framework& ProfileOf(PodId id) const { return *profiles_[queue_.profile(id)]; }
  PodBinding& BindingOf(PodId id);
  void SetState(PodBinding& binding, BindingState state);
  bool IsAwaited(PodId id, api::ActionId action) const {
    return id < bindings_.size() && bindings_[id].action == action;
  }

  // The steps, in order.
  bool RunReserve(PodId id, NodeSlot node, Duration began, const api::Turn& turn);
  void RunPermit(PodId id, const api::Turn& turn);
  void RunPreBind(PodId id, const api::Turn& turn);
  void WaitAtPreBind(PodId id, PreBindOutcome outcome, const api::Turn& turn);
  void SendBind(PodId id, const api::Turn& turn);
  void Finish(PodId id, const api::Turn& turn);

  /// Unreserves a pod that a plugin refused at Reserve or Permit.
  void RefuseReserved(PodId id, ExtensionPoint point, Verdict verdict, const api::Turn& turn);
  /// Unreserves the pod, and returns it to the queue with an error.
  void Fail(PodId id, std::string message, const api::Turn& turn);
  /// Undoes Start.
  void Unreserve(PodId id, const api::Turn& turn);
  /// Tells all but `except` that the pod no longer uses its node.
  void NotifyRoomFreed(PodId id, const api::Turn& turn, PodId except = kNoPod);
  /// Sets nominatedNodeName, to show the target node during a long wait.
  void PatchNominatedNode(PodId id, const api::Turn& turn);
  /// Requests writes on behalf of the pod. The pod need not wait for them.
  api::ActionId SendWrites(PodId id, std::vector<api::Write> writes, const api::Turn& turn);
  void SetTimer(PodId id, std::optional<Instant> at);
  void StopTimer(PodId id);

  ClusterState& cluster_;
  const Profiles& profiles_;
  SchedulingQueue& queue_;
  WaitingPods& waiting_;
  InflightActions& inflight_;
  FailureHandler& failures_;
  SchedulerMetrics& metrics_;
  const Stopwatch& stopwatch_;
  std::vector<PodBinding> bindings_;  // indexed by PodId
  std::size_t assumed_ = 0;
  std::map<PodId, std::vector<EventInterest>> event_waits_;  // what PreBind plugins wait for
  std::set<std::pair<Instant, PodId>> timers_;
};

}  // namespace plimsoll::scheduler
