#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.h"
#include "scheduler/framework/waiting_pods.h"
#include "scheduler/metrics.h"
#include "scheduler/queue/scheduling_queue.h"
#include "scheduler/scheduler.h"

namespace plimsoll::scheduler {

/// Implementation of Scheduler, in five files. scheduler.cc has the loop, scheduler_observe.cc
/// handles objects, scheduler_cycle.cc runs attempts, scheduler_diagnose.cc explains refusals, and
/// scheduler_binding.cc binds pods.
class Scheduler::Core {
 public:
  Core(SchedulerOptions options, MetricsRegistry& metrics);

  void Observe(const CoreInput& event, const Turn& turn);
  void Wake(const Turn& turn);
  std::optional<Instant> NextWake() const;

  const ClusterState& cluster() const { return cluster_; }
  Framework* FindProfile(std::string_view name);
  PendingCounts pending() const;
  std::size_t assumed() const { return assumed_; }
  const Diagnosis* LastDiagnosis(const api::ObjectMeta& pod);

 private:
  /// Progress of a pod between the decision and the confirmed binding.
  enum class Stage : std::uint8_t {
    None,       // pending, or confirmed as bound
    Permit,     // held by plugins at Permit
    PreBind,    // a plugin waits for an event or a write
    Binding,    // request sent, no response yet
    Retrying,   // result unknown; the request will be sent again
    Unsettled,  // Conflict on a retry: wait for the informer to show whether it is bound
    Bound,      // succeeded; waiting for the informer to confirm
  };

  struct Flow {
    Stage stage = Stage::None;
    bool is_confirmed = false;  // the informer has seen it bound to this node
    NodeSlot slot = kNoNode;
    std::uint16_t plugin = 0;    // with PreBind: index in At<PreBindPlugin>()
    std::uint32_t unknowns = 0;  // responses with an unknown result
    ActionId action = 0;         // with Binding, and with PreBind during a write
    std::string node;            // name of the node
    std::optional<Instant> timer;
    Duration began = Duration::zero();  // start of the attempt, by the stopwatch
    Duration sent = Duration::zero();   // time of the bind request
  };

  using Interests = std::vector<EventInterest>;

  struct Eviction {
    ObjectPtr victim;
    ObjectPtr preemptor;
    std::string node;
    std::string_view profile;
  };

  struct PendingAction {
    enum class Kind : std::uint8_t { None, Bind, Patch, Evict, Write };

    Kind kind = Kind::None;
    std::uint32_t generation = 0;
    PodId pod = kNoPod;                 // pod that waits for the outcome
    Duration began = Duration::zero();  // by the stopwatch
    Eviction eviction;
  };

  /// Evictions for one preemptor.
  struct Preemption {
    std::size_t running = 0;
    bool has_failed = false;
    Duration began = Duration::zero();  // by the stopwatch
  };

  /// Failure report that is delayed until PostFilter's writes have finished or failed.
  struct PostponedReport {
    ActionId action = 0;
    std::optional<std::string> nominated;
  };

  /// Cached refusal of a class of pods; valid while the cluster's stamp is the same.
  struct ClassRefusal {
    std::uint64_t serial = 0;  // serial of the class
    std::uint64_t stamp = 0;   // stamp of the cluster
    std::size_t profile = 0;
    std::shared_ptr<const Diagnosis> diagnosis;
  };

  Duration Elapsed() const { return options_.stopwatch ? options_.stopwatch() : Duration::zero(); }
  std::string_view profile_name(std::size_t profile) const {
    return options_.profiles[profile].name;
  }
  std::optional<std::size_t> ProfileOf(const api::Pod& pod) const;
  PodUnderTest UnderTest(PodId id) const;
  ActionId Begin(PendingAction::Kind kind, PodId pod);
  void OnFinished(const ActionFinished& finished, const Turn& turn);
  /// Returns nullopt for evictions and plugin writes, which the metric does not count.
  static std::optional<CallType> CallTypeOf(PendingAction::Kind kind);
  void ReportSizes();

  // Objects.
  void OnObject(const ObjectChanged& change, const Turn& turn);
  void OnPod(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn);
  void OnPodGone(const api::Object& pod, const Turn& turn);
  void OnAssigned(const ObjectPtr& pod, PodId id, const Turn& turn);
  void OnWaiting(const ObjectPtr& pod, PodId id, std::size_t profile, const Turn& turn);
  /// Keeps a pod with invalid annotations out of the queue until they change.
  void OnUnreadable(const ObjectPtr& known, PodId id, std::size_t profile, const Turn& turn);
  std::vector<ClusterEvent> PodEvents(const ObjectPtr& before, const ObjectPtr& after,
                                      EventResource resource);
  void FollowNomination(PodId id, std::string_view before, const ObjectPtr& old_object,
                        const Turn& turn);
  void OnNode(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn);
  void OnDevices(const ObjectChanged& change, const Turn& turn);
  void OnOther(const ObjectPtr& before, const ObjectPtr& after, const Turn& turn);
  EventActions Awaited(EventResource resource) const;
  /// Tell() for an informer event, followed by Handled() for the metric.
  void Happened(const ClusterEvent& event, const Turn& turn, PodId except = kNoPod);
  void Handled(std::string_view label);
  /// Notifies the queue, and the plugins that wait at PreBind.
  void Tell(const ClusterEvent& event, const Turn& turn, PodId except = kNoPod);

  // Scheduling cycle.
  void TryPod(PodId id, const Turn& turn);
  /// Evaluates the expressions of the pod's tolerations. Returns false if the budget is spent; the
  /// pod then continues later.
  bool PrepareExpressions(PodId id);
  /// Counts the pods that its affinity and spread constraints need. Returns false as above.
  bool PrepareCounts(PodId id);
  /// Sets aside a pod whose attempt threw, until its class changes.
  void SetAside(PodId id, std::string_view fault, const Turn& turn);
  void Refuse(PodId id, Duration began, const Turn& turn);
  void RefuseBy(PodId id, std::shared_ptr<const Diagnosis> diagnosis,
                std::optional<std::string> nominated, Duration began, const Turn& turn);
  /// Same as RefuseBy, without the event and the status patch.
  void TakeRefusal(PodId id, std::shared_ptr<const Diagnosis> diagnosis, Duration began,
                   Instant now);
  void OnHelpWritten(PodId id, ActionId action, const Status& status, const Turn& turn);
  std::shared_ptr<const Diagnosis> KnownRefusal(PodId id, std::size_t profile) const;
  void KeepRefusal(PodId id, std::size_t profile, std::shared_ptr<const Diagnosis> diagnosis);
  std::uint64_t Stamp() const;
  std::optional<std::string> TakeNomination(PodId id, const PostFilterOutcome& outcome,
                                            const Turn& turn);
  void Evict(PodId preemptor, const PostFilterOutcome& outcome, const Turn& turn);
  static void RecordPreempted(const Eviction& eviction, const Turn& turn);
  void OnEvicted(PodId preemptor, const Eviction& eviction, const Status& status, const Turn& turn);
  void Fail(PodId id, Duration began, std::string message, const Turn& turn);
  void ReportFailure(PodId id, std::string_view reason, std::string message,
                     std::optional<std::string> nominated, const Turn& turn);
  void ReportUnreadable(PodId id, std::size_t profile, const Turn& turn);
  void ReportTimes(std::size_t profile, const Placement& placement);
  void CountRefusal(std::size_t profile, const Diagnosis& diagnosis);
  void CountError(std::size_t profile, const Placement& placement);
  void FlushEvaluations(std::size_t profile);
  void DiagnoseTaints(PodId id, Diagnosis& diagnosis, const Turn& turn);
  /// Logs each fault once, although pods are refused for it repeatedly.
  void LogFaultOnce(WriteLog fault, const Turn& turn);
  bool IsNewFault(std::string key);
  void DiagnoseLabels(PodId id, Diagnosis& diagnosis, const Turn& turn);
  void CountFaults(const Diagnosis& diagnosis);

  // Binding.
  void Take(PodId id, NodeSlot slot, Duration began, const Turn& turn);
  /// Unreserves the pod after the plugin of the verdict refused it at Reserve or Permit.
  void RefuseReserved(PodId id, ExtensionPoint point, Verdict verdict, const Turn& turn);
  void AskPermit(PodId id, const Turn& turn);
  /// Applies the plugins' decisions about pods that wait at Permit.
  void SettlePermits(const Turn& turn);
  /// Sets nominatedNodeName, to show the target node during a long wait.
  void PatchNominatedNode(PodId id, const Turn& turn);
  void AskPreBind(PodId id, const Turn& turn);
  void AwaitPreBind(PodId id, PreBindOutcome outcome, const Turn& turn);
  /// Requests writes on behalf of the pod. The pod need not wait for them.
  ActionId Write(PodId id, std::vector<api::Write> writes, const Turn& turn);
  void SendBind(PodId id, const Turn& turn);
  void OnWritten(PodId id, const Status& status, const Turn& turn);
  /// Handles an informer event that shows the pod bound to `node`.
  void Confirm(PodId id, std::string_view node, const Turn& turn);
  void FailWaitsOn(std::string_view node, const Turn& turn);
  void OnBindAnswer(PodId id, const Status& status, const Turn& turn);
  void FinishBinding(PodId id, const Turn& turn);
  /// Undoes Take.
  void GiveBack(PodId id, const Turn& turn);
  void SetStage(Flow& flow, Stage stage);
  void FailBinding(PodId id, std::string message, const Turn& turn);
  /// Ends the flow of a pod that was deleted or that another scheduler bound.
  void DropFlow(PodId id, const Turn& turn);
  void StopTimer(PodId id);
  void RunTimers(const Turn& turn);
  void SetTimer(PodId id, std::optional<Instant> at);
  Flow& FlowOf(PodId id);
  Stage StageOf(PodId id) const { return id < flows_.size() ? flows_[id].stage : Stage::None; }

  const SchedulerOptions options_;
  ClusterState cluster_;
  WaitingPods waiting_;  // must outlive the plugins
  std::vector<std::unique_ptr<Framework>> profiles_;
  SchedulerMetrics metrics_;
  SchedulingQueue queue_;
  Random random_;
  bool is_synced_ = false;
  Duration woken_at_ = Duration::zero();  // by the stopwatch
  bool is_budget_spent_ = false;          // in this Wake
  std::uint64_t hurried_cost_ = 0;        // cost of expressions in this Wake while others waited
  std::uint64_t hurried_work_ = 0;        // work of Prepare in this Wake while others waited
  bool is_report_due_ = false;            // the metrics are older than the last Observe
  std::size_t assumed_ = 0;
  Duration handling_since_ = Duration::zero();  // start of event handling, by the stopwatch

  std::vector<Flow> flows_;           // indexed by PodId
  std::map<PodId, Interests> waits_;  // events that PreBind plugins wait for
  std::set<std::pair<Instant, PodId>> timers_;
  std::vector<PendingAction> actions_;  // indexed by the lower half of the id
  std::vector<std::uint32_t> free_actions_;
  std::array<std::size_t, kCallTypes> pending_calls_{};
  std::map<PodId, Preemption> preemptions_;
  std::map<PodId, PostponedReport> postponed_;
  std::set<PodId> unplaced_nominations_;      // nominations to nodes that are not known yet
  std::map<PodId, std::uint64_t> set_aside_;  // serial of the class of each

  std::vector<std::shared_ptr<const Diagnosis>> diagnoses_;  // indexed by PodId
  std::vector<ClassRefusal> class_refusals_;                 // indexed by ClassId
  std::uint64_t tried_ = 0;                                  // attempts that ran the plugins
  std::uint64_t other_changes_ = 0;      // changes of objects other than pods and nodes
  std::set<std::string> logged_faults_;  // faults already logged
  std::vector<double> placed_;           // per profile: attempts not yet in plugin_evaluation_total
};

}  // namespace plimsoll::scheduler
