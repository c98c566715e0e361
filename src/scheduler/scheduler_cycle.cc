// One scheduling attempt: finds a node for a pod, or the reason why there is none.

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "api/extension/extension.h"
#include "match/diagnosis.h"
#include "match/toleration.h"
#include "scheduler/event_text.h"
#include "scheduler/scheduler_core.h"

namespace plimsoll::scheduler {
namespace {

constexpr std::string_view kUnschedulableReason = "Unschedulable";
constexpr std::string_view kErrorReason = "SchedulerError";

constexpr std::uint64_t kSampledEvery = 10;

/// Maximum cost of expressions for all attempts of one Wake while other pods wait.
constexpr std::uint64_t kContendedExpressionCost = 500'000;
/// Maximum number of nodes and pods that Prepare may visit per Wake while other pods wait.
constexpr std::uint64_t kContendedPrepareWork = 200'000;
/// Same, for one attempt while no other pod waits.
constexpr std::uint64_t kPreparationWork = 1'000'000;
/// Time limit for each of the two kinds of preparation; the attempt is then put off too.
constexpr Duration kPreparationMax = std::chrono::milliseconds(40);

/// Returns true if a refusal of this pod holds for every pod of its class.
bool IsTypical(const PodRecord& record) {
  return record.nominated == kNoNode && !record.pod_class->has_claims &&
         record.pod_class->view->resource_claims.empty();
}

}  // namespace

void Scheduler::Core::TryPod(PodId id, const Turn& turn) {
  const PodRecord& record = cluster_.pod(id);
  const std::size_t profile = queue_.profile(id);
  if (record.is_terminating) {
    turn.Do(RecordEvent{.regarding = record.object,
                        .type = EventType::Warning,
                        .reason = "FailedScheduling",
                        .message = SkippedNote(record.pod->metadata),
                        .component = profile_name(profile),
                        .action = "Scheduling"});
    queue_.Remove(id);
    return;
  }
  const Duration began = Elapsed();
  if (std::shared_ptr<const Diagnosis> known = KnownRefusal(id, profile)) {
    metrics_.AlgorithmRan(Elapsed() - began);
    RefuseBy(id, std::move(known), std::nullopt, began, turn);
    return;
  }
  if (record.pod_class->has_expressions && !PrepareExpressions(id)) return queue_.PutOff(id);
  const bool counts_pods = record.pod_class->has_pod_affinity ||
                           !record.pod_class->view->topology_spread_constraints.empty();
  if (counts_pods && !PrepareCounts(id)) return queue_.PutOff(id);
  dra::Allocator& allocator = cluster_.devices().allocator();
  allocator.SetExpressionBudget(options_.expression_budget);
  // Reading the clock around every plugin would cost more than some of the plugins do.
  const bool is_sampled = options_.stopwatch && tried_++ % kSampledEvery == 0;
  metrics_.Sample(profile);
  profiles_[profile]->SetObserver(is_sampled ? &metrics_ : nullptr);
  const Placement placement = profiles_[profile]->Place(UnderTest(id), random_);
  metrics_.AlgorithmRan(Elapsed() - began);
  ReportTimes(profile, placement);
  if (allocator.is_exhausted()) {
    // The answers about devices are kept, and the next attempt goes on from there.
    is_budget_spent_ = !queue_.HasOthers();
    return queue_.PutOff(id);
  }
  // Saying why there is no place may evaluate expressions again.
  allocator.SetExpressionBudget(options_.expression_budget);
  if (!placement.error.ok()) {
    CountError(profile, placement);
    Fail(id, began, placement.error.Message(), turn);
  } else if (placement.node == kNoNode) {
    Refuse(id, began, turn);
  } else {
    Take(id, placement.node, began, turn);
  }
}

bool Scheduler::Core::PrepareCounts(PodId id) {
  const bool others_wait = queue_.HasOthers();
  const Duration began = Elapsed();
  WorkBudget budget{
      .left = others_wait ? kContendedPrepareWork - std::min(kContendedPrepareWork, hurried_work_)
                          : kPreparationWork,
      .is_late = [this, began] { return Elapsed() - began >= kPreparationMax; },
  };
  const std::uint64_t work_before = budget.left;
  const bool is_prepared = profiles_[queue_.profile(id)]->Prepare(UnderTest(id), budget);
  if (others_wait) {
    hurried_work_ += work_before - budget.left;
  } else {
    // End this Wake soon, so that pods that arrived meanwhile do not wait long.
    is_budget_spent_ = !is_prepared || Elapsed() - woken_at_ >= kPreparationMax;
  }
  return is_prepared;
}

bool Scheduler::Core::PrepareExpressions(PodId id) {
  const bool others_wait = queue_.HasOthers();
  const Duration began = Elapsed();
  match::EvaluationBudget budget;
  budget.cost = others_wait
                    ? kContendedExpressionCost - std::min(kContendedExpressionCost, hurried_cost_)
                    : options_.expression_budget;
  budget.is_late = [this, began] { return Elapsed() - began >= kPreparationMax; };
  match::MatchIndex& index = cluster_.index();
  const match::ProgramHandle tolerations = index.Compile(
      cluster_.pod(id).pod_class->view->node_constraints, match::ProgramParts::Tolerations);
  const std::uint64_t cost_before = index.expression_cost();
  const bool is_prepared = index.Prepare(tolerations, budget);
  if (others_wait) {
    hurried_cost_ += index.expression_cost() - cost_before;
  } else {
    // End this Wake soon, so that pods that arrived meanwhile do not wait long.
    is_budget_spent_ = !is_prepared || Elapsed() - woken_at_ >= kPreparationMax;
  }
  return is_prepared;
}

void Scheduler::Core::Refuse(PodId id, Duration began, const Turn& turn) {
  const std::size_t profile = queue_.profile(id);
  Framework& framework = *profiles_[profile];
  const PodUnderTest pod = UnderTest(id);
  const bool is_typical = IsTypical(cluster_.pod(id));
  const Attempt attempt = framework.Begin(pod);
  Diagnosis diagnosis = framework.Explain(attempt);
  DiagnoseTaints(id, diagnosis, turn);
  DiagnoseLabels(id, diagnosis, turn);
  PostFilterOutcome outcome;
  if (diagnosis.node_count > 0 && !framework.At<PostFilterPlugin>().empty()) {
    const Duration start = Elapsed();
    outcome = framework.PostFilter(attempt, diagnosis, random_);
    metrics_.PreemptionTried();
    metrics_.PointRan(profile, kPostFilter, outcome.verdict.code, Elapsed() - start);
    diagnosis.post_filter = outcome.verdict.Message();
  }
  auto shared = std::make_shared<const Diagnosis>(std::move(diagnosis));
  const bool changes_nothing = outcome.victims.empty() && outcome.out_nominated.empty() &&
                               outcome.nomination == PostFilterOutcome::Nomination::Leave &&
                               outcome.writes.empty();
  if (is_typical && changes_nothing) KeepRefusal(id, profile, shared);
  std::optional<std::string> nominated = TakeNomination(id, outcome, turn);
  if (outcome.writes.empty()) {
    RefuseBy(id, std::move(shared), std::move(nominated), began, turn);
    Evict(id, outcome, turn);
    return;
  }
  TakeRefusal(id, std::move(shared), began, turn.now);
  postponed_[id] = {Write(id, std::move(outcome.writes), turn), std::move(nominated)};
  queue_.Hold(id);
  Evict(id, outcome, turn);
}

void Scheduler::Core::OnHelpWritten(PodId id, ActionId action, const Status& status,
                                    const Turn& turn) {
  const auto found = postponed_.find(id);
  if (found == postponed_.end() || found->second.action != action) return;
  std::optional<std::string> nominated = std::move(found->second.nominated);
  postponed_.erase(found);
  if (diagnoses_[id] == nullptr) return;  // it got a node meanwhile
  if (!status) {
    auto diagnosis = std::make_shared<Diagnosis>(*diagnoses_[id]);
    diagnosis->post_filter = status.error().message;
    diagnoses_[id] = std::move(diagnosis);
  }
  ReportFailure(id, kUnschedulableReason, diagnoses_[id]->Message(), std::move(nominated), turn);
  if (!preemptions_.contains(id)) queue_.Release(id, turn.now);
}

void Scheduler::Core::RefuseBy(PodId id, std::shared_ptr<const Diagnosis> diagnosis,
                               std::optional<std::string> nominated, Duration began,
                               const Turn& turn) {
  ReportFailure(id, kUnschedulableReason, diagnosis->Message(), std::move(nominated), turn);
  TakeRefusal(id, std::move(diagnosis), began, turn.now);
}

void Scheduler::Core::TakeRefusal(PodId id, std::shared_ptr<const Diagnosis> diagnosis,
                                  Duration began, Instant now) {
  const std::size_t profile = queue_.profile(id);
  metrics_.Attempted(profile, AttemptResult::Unschedulable, Elapsed() - began);
  CountRefusal(profile, *diagnosis);
  CountFaults(*diagnosis);
  const HintTable& hints = queue_.hints(profile);
  const PluginSet refused = hints.Named(diagnosis->unschedulable_plugins);
  const PluginSet pending = hints.Named(diagnosis->pending_plugins);
  if (id >= diagnoses_.size()) diagnoses_.resize(id + 1);
  diagnoses_[id] = std::move(diagnosis);
  // If there are no nodes, no plugin refused the pod, so no event hint can requeue it.
  if ((refused | pending) != 0) {
    queue_.Refuse(id, refused, pending, now);
  } else {
    queue_.Fail(id, now);
  }
}

void Scheduler::Core::Fail(PodId id, Duration began, std::string message, const Turn& turn) {
  metrics_.Attempted(queue_.profile(id), AttemptResult::Error, Elapsed() - began);
  ReportFailure(id, kErrorReason, std::move(message), std::nullopt, turn);
  queue_.Fail(id, turn.now);
}

void Scheduler::Core::SetAside(PodId id, std::string_view fault, const Turn& turn) {
  const std::size_t profile = queue_.profile(id);
  const PodClass& pod_class = *cluster_.pod(id).pod_class;
  profiles_[profile]->Forget(pod_class);
  if (StageOf(id) != Stage::None) GiveBack(id, turn);
  metrics_.Attempted(profile, AttemptResult::Error, Duration::zero());
  ReportFailure(id, kErrorReason,
                "the scheduler cannot process the pod and leaves it alone until it changes: " +
                    std::string(fault),
                std::nullopt, turn);
  queue_.Remove(id);
  preemptions_.erase(id);
  postponed_.erase(id);
  set_aside_[id] = pod_class.serial;
}

void Scheduler::Core::ReportFailure(PodId id, std::string_view reason, std::string message,
                                    std::optional<std::string> nominated, const Turn& turn) {
  const PodRecord& record = cluster_.pod(id);
  turn.Do(RecordEvent{.regarding = record.object,
                      .type = EventType::Warning,
                      .reason = "FailedScheduling",
                      .message = TruncateNote(message),
                      .component = profile_name(queue_.profile(id)),
                      .action = "Scheduling"});
  if (nominated == record.pod->status.nominated_node_name) nominated.reset();
  std::optional<PodCondition> condition =
      UnscheduledCondition(*record.object, reason, std::move(message), turn.now);
  if (!condition && !nominated) return;
  turn.Do(UpdatePodStatus{.id = Begin(PendingAction::Kind::Patch, id),
                          .pod = record.object,
                          .condition = std::move(condition),
                          .nominated_node = std::move(nominated)});
}

void Scheduler::Core::ReportUnreadable(PodId id, std::size_t profile, const Turn& turn) {
  const ObjectPtr object = cluster_.pod(id).object;
  const std::string_view fault = api::FaultOf(*object);
  auto diagnosis = std::make_shared<Diagnosis>();
  diagnosis->error = Verdict::Of(Code::Error, "invalid annotations: " + std::string(fault));
  std::string message = diagnosis->error.Message();
  const auto tell = [&](std::string_view reason, std::string_view note) {
    turn.Do(RecordEvent{.regarding = object,
                        .type = EventType::Warning,
                        .reason = std::string(reason),
                        .message = TruncateNote(note),
                        .component = profile_name(profile),
                        .action = "Scheduling"});
  };
  tell("InvalidAnnotation", fault);
  tell("FailedScheduling", message);
  if (id >= diagnoses_.size()) diagnoses_.resize(id + 1);
  diagnoses_[id] = std::move(diagnosis);
  // Not `Unschedulable`: more nodes would not help, and an autoscaler must not add any.
  std::optional<PodCondition> condition =
      UnscheduledCondition(*object, kErrorReason, std::move(message), turn.now);
  if (!condition) return;
  turn.Do(UpdatePodStatus{.id = Begin(PendingAction::Kind::Patch, id),
                          .pod = object,
                          .condition = std::move(condition),
                          .nominated_node = std::nullopt});
}

// A refusal holds for all pods of a class until something changes.

/// Both summands only grow, so the sum changes whenever one of them does.
std::uint64_t Scheduler::Core::Stamp() const { return cluster_.journal().end() + other_changes_; }

std::shared_ptr<const Diagnosis> Scheduler::Core::KnownRefusal(PodId id,
                                                               std::size_t profile) const {
  const PodRecord& record = cluster_.pod(id);
  const ClassId class_id = record.pod_class->id;
  if (class_id >= class_refusals_.size()) return nullptr;
  const ClassRefusal& refusal = class_refusals_[class_id];
  const bool holds = refusal.diagnosis != nullptr && refusal.serial == record.pod_class->serial &&
                     refusal.profile == profile && IsTypical(record) && refusal.stamp == Stamp();
  return holds ? refusal.diagnosis : nullptr;
}

void Scheduler::Core::KeepRefusal(PodId id, std::size_t profile,
                                  std::shared_ptr<const Diagnosis> diagnosis) {
  const PodClass& pod_class = *cluster_.pod(id).pod_class;
  if (pod_class.id >= class_refusals_.size()) class_refusals_.resize(pod_class.id + 1);
  class_refusals_[pod_class.id] = {pod_class.serial, Stamp(), profile, std::move(diagnosis)};
}

// Preemption.

std::optional<std::string> Scheduler::Core::TakeNomination(PodId id,
                                                           const PostFilterOutcome& outcome,
                                                           const Turn& turn) {
  for (const PodId other : outcome.out_nominated) {
    cluster_.Nominate(other, kNoNode);
    if (cluster_.pod(other).pod->status.nominated_node_name.empty()) continue;
    turn.Do(UpdatePodStatus{.id = Begin(PendingAction::Kind::Patch, other),
                            .pod = cluster_.pod(other).object,
                            .condition = std::nullopt,
                            .nominated_node = ""});
  }
  switch (outcome.nomination) {
    case PostFilterOutcome::Nomination::Leave:
      return std::nullopt;
    case PostFilterOutcome::Nomination::Clear:
      cluster_.Nominate(id, kNoNode);
      return "";
    case PostFilterOutcome::Nomination::Set:
      cluster_.Nominate(id, outcome.node);
      return std::string(cluster_.node_name(outcome.node));
  }
  return std::nullopt;
}

void Scheduler::Core::Evict(PodId preemptor, const PostFilterOutcome& outcome, const Turn& turn) {
  if (outcome.victims.empty()) return;
  metrics_.Preempted(outcome.victims.size());
  const std::string_view profile = profile_name(queue_.profile(preemptor));
  for (const PodId victim : outcome.victims) {
    const PodRecord& record = cluster_.pod(victim);
    if (record.is_terminating) continue;
    if (waiting_.IsWaiting(victim)) {
      // The victim waits at Permit and is not bound yet: reject it there instead of evicting it.
      waiting_.Reject(victim, outcome.verdict.plugin, "preempted");
      RecordPreempted({.victim = record.object,
                       .preemptor = cluster_.pod(preemptor).object,
                       .node = std::string(cluster_.node_name(outcome.node)),
                       .profile = profile},
                      turn);
      continue;
    }
    const ActionId id = Begin(PendingAction::Kind::Evict, preemptor);
    actions_[static_cast<std::uint32_t>(id)].eviction = {
        .victim = record.object,
        .preemptor = cluster_.pod(preemptor).object,
        .node = std::string(cluster_.node_name(outcome.node)),
        .profile = profile};
    turn.Do(EvictPod{.id = id,
                     .pod = record.object,
                     .reason = "PreemptionByScheduler",
                     .message = PreemptionMessage(profile)});
    ++preemptions_[preemptor].running;
  }
  const auto found = preemptions_.find(preemptor);
  if (found == preemptions_.end()) return;
  found->second.began = Elapsed();
  // Hold the preemptor until all eviction requests have been answered.
  queue_.Hold(preemptor);
}

void Scheduler::Core::RecordPreempted(const Eviction& eviction, const Turn& turn) {
  turn.Do(RecordEvent{.regarding = eviction.victim,
                      .type = EventType::Normal,
                      .reason = "Preempted",
                      .message = PreemptedNote(eviction.preemptor->metadata().uid, eviction.node),
                      .component = eviction.profile,
                      .action = "Preempting",
                      .related = eviction.preemptor});
}

void Scheduler::Core::OnEvicted(PodId preemptor, const Eviction& eviction, const Status& status,
                                const Turn& turn) {
  const bool is_gone = !status && status.error().reason == Reason::NotFound;
  if (status) RecordPreempted(eviction, turn);
  const auto found = preemptions_.find(preemptor);
  // The preemptor may be deleted and its PodId reused.
  if (found == preemptions_.end() ||
      cluster_.pod(preemptor).pod->metadata.uid != eviction.preemptor->metadata().uid) {
    return;
  }
  Preemption& preemption = found->second;
  preemption.has_failed |= !status && !is_gone;
  if (--preemption.running > 0) return;
  const bool has_failed = preemption.has_failed;
  metrics_.PreemptionEnded(!has_failed, Elapsed() - preemption.began);
  preemptions_.erase(found);
  queue_.Release(preemptor, turn.now);
  if (has_failed) queue_.Activate(preemptor, turn.now);
}

// Metrics.

void Scheduler::Core::ReportTimes(std::size_t profile, const Placement& placement) {
  const auto report = [&](ExtensionPoint point, bool has_passed, std::optional<Duration> took) {
    const Code refusal = placement.error.ok() ? Code::Unschedulable : placement.error.code;
    if (took) metrics_.PointRan(profile, point, has_passed ? Code::Success : refusal, *took);
  };
  const PlaceTimes& times = placement.times;
  report(kPreFilter, times.filter.has_value(), times.pre_filter);
  report(kFilter, placement.feasible > 0, times.filter);
  report(kScore, placement.error.ok(), times.score);
}

void Scheduler::Core::CountRefusal(std::size_t profile, const Diagnosis& diagnosis) {
  const std::vector<EnabledPlugin>& plugins = profiles_[profile]->plugins();
  for (std::size_t i = 0; i < plugins.size(); ++i) {
    const std::string_view name = plugins[i].plugin->name();
    const auto said = std::ranges::find_if(
        diagnosis.refusals,
        [&](const Diagnosis::Refusal& refusal) { return refusal.verdict.plugin == name; });
    const Code filter_code = said == diagnosis.refusals.end() ? Code::Success : said->verdict.code;
    const bool is_pre_filter = diagnosis.pre_filter.plugin == name;
    if ((plugins[i].points & kPreFilter) != 0) {
      metrics_.Evaluated(profile, i, kPreFilter,
                         is_pre_filter ? diagnosis.pre_filter.code : Code::Success, 1);
    }
    if ((plugins[i].points & kFilter) != 0 && diagnosis.pre_filter.ok()) {
      metrics_.Evaluated(profile, i, kFilter, filter_code, 1);
    }
    if (is_pre_filter) return;  // later plugins did not run
  }
}

void Scheduler::Core::CountError(std::size_t profile, const Placement& placement) {
  const std::vector<EnabledPlugin>& plugins = profiles_[profile]->plugins();
  const auto failed = std::ranges::find_if(plugins, [&](const EnabledPlugin& one) {
    return one.plugin->name() == placement.error.plugin;
  });
  if (failed == plugins.end()) return;
  metrics_.Evaluated(profile, static_cast<std::size_t>(failed - plugins.begin()),
                     placement.error_point, Code::Error, 1);
}

void Scheduler::Core::FlushEvaluations(std::size_t profile) {
  const double times = std::exchange(placed_[profile], 0);
  if (times == 0) return;
  const std::vector<EnabledPlugin>& plugins = profiles_[profile]->plugins();
  for (std::size_t i = 0; i < plugins.size(); ++i) {
    for (const ExtensionPoint point : {kPreFilter, kFilter, kPreScore, kScore}) {
      if ((plugins[i].points & point) == 0) continue;
      metrics_.Evaluated(profile, i, point, Code::Success, times);
    }
  }
}

}  // namespace plimsoll::scheduler
