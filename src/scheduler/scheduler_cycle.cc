// One scheduling attempt: finds a node for a pod, or the reason why there is none.

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "scheduler/dra/devices.h"
#include "scheduler/failure/refusal_details.h"
#include "scheduler/scheduler_core.h"

namespace plimsoll::scheduler {
namespace {

/// One of so many attempts measures the duration of each plugin.
constexpr std::uint64_t kSampledEvery = 10;

}  // namespace

void Scheduler::Core::ScheduleOne(PodId id, const Turn& turn) {
  const PodRecord& record = cluster_.pod(id);
  const std::size_t profile = queue_.profile(id);
  if (record.is_terminating) {
    failures_.ReportSkipped(id, turn);
    queue_.Remove(id);
    return;
  }
  const Duration began = stopwatch_.Now();
  if (RefusalCache::Shared known = refusals_.Find(id, profile)) {
    metrics_.AlgorithmRan(stopwatch_.Now() - began);
    failures_.Refuse(id, std::move(known), std::nullopt, began, turn);
    return;
  }
  Framework& framework = *profiles_[profile];
  const PodUnderTest pod = UnderTest(cluster_, id);
  if (!preparation_.Prepare(framework, pod)) return queue_.PutOff(id);
  dra::Allocator& allocator = cluster_.devices().allocator();
  allocator.SetExpressionBudget(options_.expression_budget);
  // Reading the clock around every plugin would cost more than some of the plugins do.
  const bool is_sampled = stopwatch_.has_source() && attempts_++ % kSampledEvery == 0;
  metrics_.Sample(profile);
  framework.SetObserver(is_sampled ? &metrics_ : nullptr);
  const Placement placement = framework.SchedulePod(pod, random_);
  metrics_.AlgorithmRan(stopwatch_.Now() - began);
  attempt_metrics_.RecordTimes(profile, placement);
  if (allocator.is_exhausted()) {
    // The answers about devices are kept, and the next attempt goes on from there.
    if (!queue_.HasOthers()) preparation_.EndWake();
    return queue_.PutOff(id);
  }
  // Saying why there is no place may evaluate expressions again.
  allocator.SetExpressionBudget(options_.expression_budget);
  if (!placement.error.ok()) {
    attempt_metrics_.CountError(profile, placement);
    failures_.Fail(id, began, placement.error.Message(), turn);
  } else if (placement.node == kNoNode) {
    RunPostFilter(id, began, turn);
  } else if (binding_.Start(id, placement.node, began, turn)) {
    attempt_metrics_.CountPlaced(profile);
  }
}

void Scheduler::Core::RunPostFilter(PodId id, Duration began, const Turn& turn) {
  const std::size_t profile = queue_.profile(id);
  Framework& framework = *profiles_[profile];
  const Attempt attempt = framework.Begin(UnderTest(cluster_, id));
  Diagnosis diagnosis = framework.Explain(attempt);
  AddTaintDetails(cluster_, id, diagnosis, fault_log_, turn);
  AddLabelDetails(cluster_, id, diagnosis, fault_log_, turn);
  PostFilterOutcome outcome;
  if (diagnosis.node_count > 0 && !framework.At<PostFilterPlugin>().empty()) {
    const Duration start = stopwatch_.Now();
    outcome = framework.PostFilter(attempt, diagnosis, random_);
    metrics_.PreemptionTried();
    metrics_.PointRan(profile, kPostFilter, outcome.verdict.code, stopwatch_.Now() - start);
    diagnosis.post_filter = outcome.verdict.Message();
  }
  auto shared = std::make_shared<const Diagnosis>(std::move(diagnosis));
  if (!outcome.HasEffects()) refusals_.Store(id, profile, shared);
  std::optional<std::string> nominated = nominator_.Apply(id, outcome, turn);
  if (outcome.writes.empty()) {
    failures_.Refuse(id, std::move(shared), std::move(nominated), began, turn);
  } else {
    failures_.RefuseAfterWrites(id, std::move(shared), std::move(outcome.writes),
                                std::move(nominated), began, turn);
  }
  preemption_.Evict(id, outcome, turn);
}

void Scheduler::Core::SetAside(PodId id, std::string_view fault, const Turn& turn) {
  const PodClass& pod_class = *cluster_.pod(id).pod_class;
  profiles_[queue_.profile(id)]->Forget(pod_class);
  binding_.Cancel(id, turn);
  failures_.ReportFault(id, fault, turn);
  queue_.Remove(id);
  preemption_.Forget(id);
  failures_.CancelReport(id);
  set_aside_[id] = pod_class.serial;
}

}  // namespace plimsoll::scheduler
