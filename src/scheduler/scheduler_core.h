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

/// The inside of Scheduler. Its methods stand in four files: scheduler.cc has the loop,
/// scheduler_observe.cc takes in objects, scheduler_cycle.cc tries a pod, scheduler_binding.cc
/// brings it to its node.
class Scheduler::Core {
 public:
  Core(SchedulerOptions options, MetricsRegistry& metrics);

  void Observe(const InputEvent& event, Instant now, Actions& out);
  void Wake(Instant now, Actions& out);
  std::optional<Instant> NextWake() const;

  const ClusterState& cluster() const { return cluster_; }
  Framework* FindProfile(std::string_view name);
  PendingCounts pending() const;
  std::size_t assumed() const { return assumed_; }
  const Diagnosis* LastDiagnosis(const api::ObjectMeta& pod);

 private:
  /// Where a pod is between the decision and the server's word.
  enum class Stage : std::uint8_t {
    None,       // waiting, or known to be bound
    Permit,     // plugins told it to wait
    PreBind,    // a plugin waits for something
    Binding,    // asked for; the answer is to come
    Retrying,   // nobody knows whether it was done, and it will be asked for again
    Unsettled,  // the server refused to do it again: it was done, or the informer will tell
    Bound,      // done; the informer will say so
  };

  struct Flow {
    Stage stage = Stage::None;
    bool is_confirmed = false;  // the informer has said that it is bound to this node
    NodeSlot slot = kNoNode;
    std::uint16_t plugin = 0;    // with PreBind: which one is asked, by its place in their order
    std::uint32_t unknowns = 0;  // answers that said nothing
    ActionId action = 0;         // with Binding, and with PreBind while something is written
    std::string node;            // its name
    std::optional<Instant> timer;
    Duration began = Duration::zero();  // the attempt, by the stopwatch
    Duration sent = Duration::zero();   // the binding
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
    PodId pod = kNoPod;                 // that waits for the outcome
    Duration began = Duration::zero();  // by the stopwatch
    Eviction eviction;
  };

  /// The evictions that make room for a pod.
  struct Preemption {
    std::size_t running = 0;
    bool has_failed = false;
    Duration began = Duration::zero();  // by the stopwatch
  };

  /// A refusal that is told once what shall help the pod is written, or cannot be.
  struct PostponedReport {
    ActionId action = 0;
    std::optional<std::string> nominated;
  };

  /// The answer for a class of pods, as long as nothing changes.
  struct ClassRefusal {
    std::uint64_t serial = 0;  // of the class
    std::uint64_t stamp = 0;   // of the cluster
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
  void OnFinished(const ActionFinished& finished, Instant now, Actions& out);
  /// Nothing for what is done for preemption and for plugins, which is not counted as a call.
  static std::optional<CallType> CallTypeOf(PendingAction::Kind kind);
  void ReportSizes();

  // Objects.
  void OnObject(const ObjectChanged& change, Instant now, Actions& out);
  void OnPod(const ObjectPtr& before, const ObjectPtr& after, Instant now, Actions& out);
  void OnPodGone(const api::Object& pod, Instant now, Actions& out);
  void OnAssigned(const ObjectPtr& pod, PodId id, Instant now, Actions& out);
  void OnWaiting(const ObjectPtr& pod, PodId id, std::size_t profile, Instant now, Actions& out);
  /// A pod whose annotations cannot be read is kept out of the queue until they change.
  void OnUnreadable(const ObjectPtr& known, PodId id, std::size_t profile, Instant now,
                    Actions& out);
  std::vector<ClusterEvent> PodEvents(const ObjectPtr& before, const ObjectPtr& after,
                                      EventResource resource);
  void FollowNomination(PodId id, std::string_view before, const ObjectPtr& old_object, Instant now,
                        Actions& out);
  void OnNode(const ObjectPtr& before, const ObjectPtr& after, Instant now, Actions& out);
  void OnDevices(const ObjectChanged& change, Instant now, Actions& out);
  void OnOther(const ObjectPtr& before, const ObjectPtr& after, Instant now, Actions& out);
  EventActions Awaited(EventResource resource) const;
  /// Tells of what an informer told, which is then taken in.
  void Happened(const ClusterEvent& event, Instant now, Actions& out, PodId except = kNoPod);
  void Handled(std::string_view label);
  /// Tells the queue, and the plugins that wait before a binding.
  void Tell(const ClusterEvent& event, Instant now, Actions& out, PodId except = kNoPod);

  // A cycle.
  void TryPod(PodId id, Instant now, Actions& out);
  /// Evaluates the expressions of the pod's tolerations. False: the budget is used up, and the pod
  /// goes on later.
  bool PrepareExpressions(PodId id);
  /// Counts the pods that the pod's affinity speaks of, likewise.
  bool PrepareCounts(PodId id);
  /// The attempt has thrown: the pod is left alone until what it asks for changes.
  void SetAside(PodId id, std::string_view fault, Instant now, Actions& out);
  void Refuse(PodId id, Duration began, Instant now, Actions& out);
  void RefuseBy(PodId id, std::shared_ptr<const Diagnosis> diagnosis,
                std::optional<std::string> nominated, Duration began, Instant now, Actions& out);
  /// The same, but for telling anyone.
  void TakeRefusal(PodId id, std::shared_ptr<const Diagnosis> diagnosis, Duration began,
                   Instant now);
  void OnHelpWritten(PodId id, ActionId action, const Status& status, Instant now, Actions& out);
  std::shared_ptr<const Diagnosis> KnownRefusal(PodId id, std::size_t profile) const;
  void KeepRefusal(PodId id, std::size_t profile, std::shared_ptr<const Diagnosis> diagnosis);
  std::uint64_t Stamp() const;
  std::optional<std::string> TakeNomination(PodId id, const PostFilterOutcome& outcome,
                                            Actions& out);
  void Evict(PodId preemptor, const PostFilterOutcome& outcome, Instant now, Actions& out);
  static void RecordPreempted(const Eviction& eviction, Actions& out);
  void OnEvicted(PodId preemptor, const Eviction& eviction, const Status& status, Instant now,
                 Actions& out);
  void Fail(PodId id, Duration began, std::string message, Instant now, Actions& out);
  void ReportFailure(PodId id, std::string_view reason, std::string message,
                     std::optional<std::string> nominated, Instant now, Actions& out);
  void ReportUnreadable(PodId id, std::size_t profile, Instant now, Actions& out);
  void ReportTimes(std::size_t profile, const Placement& placement);
  void CountRefusal(std::size_t profile, const Diagnosis& diagnosis);
  void CountError(std::size_t profile, const Placement& placement);
  void FlushEvaluations(std::size_t profile);
  void DiagnoseTaints(PodId id, Diagnosis& diagnosis, Actions& out);
  /// Each fault is told once, as pods are refused for it again and again.
  void TellFault(LogFault fault, Actions& out);
  bool IsNewFault(std::string key);
  void DiagnoseLabels(PodId id, Diagnosis& diagnosis, Actions& out);
  void CountFaults(const Diagnosis& diagnosis);

  // To the node.
  void Take(PodId id, NodeSlot slot, Duration began, Instant now, Actions& out);
  /// The plugin of the verdict does not let it go to the node it has.
  void RefuseTaken(PodId id, ExtensionPoint point, Verdict verdict, Instant now, Actions& out);
  void AskPermit(PodId id, Instant now, Actions& out);
  /// Carries out what plugins have said of pods that wait at Permit.
  void SettlePermits(Instant now, Actions& out);
  /// Others shall see where the pod is going, as that may take long.
  void ShowNode(PodId id, Actions& out);
  void AskPreBind(PodId id, Instant now, Actions& out);
  void AwaitPreBind(PodId id, PreBindOutcome outcome, Actions& out);
  /// Asks for writes on behalf of the pod, which need not wait for them.
  ActionId Write(PodId id, std::vector<ObjectWrite> writes, Actions& out);
  void SendBind(PodId id, Actions& out);
  void OnWritten(PodId id, const Status& status, Instant now, Actions& out);
  /// The informer says that the pod is bound to that node.
  void Confirm(PodId id, std::string_view node, Instant now, Actions& out);
  void FailWaitsOn(std::string_view node, Instant now, Actions& out);
  void OnBindAnswer(PodId id, const Status& status, Instant now, Actions& out);
  void FinishBinding(PodId id, Instant now, Actions& out);
  /// Undoes what Take did.
  void GiveBack(PodId id, Actions& out);
  void SetStage(Flow& flow, Stage stage);
  void FailBinding(PodId id, std::string message, Instant now, Actions& out);
  /// The pod is gone, or placed by someone else.
  void DropFlow(PodId id, Actions& out);
  void StopTimer(PodId id);
  void RunTimers(Instant now, Actions& out);
  void SetTimer(PodId id, std::optional<Instant> at);
  Flow& FlowOf(PodId id);
  Stage StageOf(PodId id) const { return id < flows_.size() ? flows_[id].stage : Stage::None; }

  const SchedulerOptions options_;
  ClusterState cluster_;
  WaitingPods waiting_;  // outlives the plugins
  std::vector<std::unique_ptr<Framework>> profiles_;
  SchedulerMetrics metrics_;
  SchedulingQueue queue_;
  Random random_;
  bool is_synced_ = false;
  Duration woken_at_ = Duration::zero();  // by the stopwatch
  bool is_budget_spent_ = false;          // in this Wake
  std::uint64_t hurried_cost_ = 0;        // of expressions, in this Wake, while other pods waited
  std::uint64_t hurried_work_ = 0;        // ahead of attempts, likewise
  bool is_report_due_ = false;  // something was observed since the metrics were brought up to date
  std::size_t assumed_ = 0;
  Duration handling_since_ = Duration::zero();  // of what the informers tell, by the stopwatch

  std::vector<Flow> flows_;           // by PodId
  std::map<PodId, Interests> waits_;  // what plugins wait for before a binding
  std::set<std::pair<Instant, PodId>> timers_;
  std::vector<PendingAction> actions_;  // by the lower half of the id
  std::vector<std::uint32_t> free_actions_;
  std::array<std::size_t, kCallTypes> pending_calls_{};
  std::map<PodId, Preemption> preemptions_;
  std::map<PodId, PostponedReport> postponed_;
  std::set<PodId> unplaced_nominations_;      // to nodes that are not known yet
  std::map<PodId, std::uint64_t> set_aside_;  // with the serial of their class

  std::vector<std::shared_ptr<const Diagnosis>> diagnoses_;  // by PodId
  std::vector<ClassRefusal> class_refusals_;                 // by ClassId
  std::uint64_t tried_ = 0;                                  // pods for which a node was looked for
  std::uint64_t other_changes_ = 0;    // of objects that are neither pods nor nodes
  std::set<std::string> told_faults_;  // of tolerations, taints and labels
  std::vector<double> placed_;         // by profile: attempts not yet in plugin_evaluation_total
};

}  // namespace plimsoll::scheduler
