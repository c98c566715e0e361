#include "scheduler/failure/failure_handler.h"

#include <utility>

#include "api/extension/extension.h"
#include "scheduler/event_text.h"

namespace plimsoll::scheduler {
namespace {

constexpr std::string_view kUnschedulableReason = "Unschedulable";
constexpr std::string_view kErrorReason = "SchedulerError";
constexpr std::string_view kFailedEvent = "FailedScheduling";

}  // namespace

FailureHandler::FailureHandler(const ClusterState& cluster, const Profiles& profiles,
                               SchedulingQueue& queue, InflightActions& inflight,
                               RefusalCache& refusals, AttemptMetrics& attempt_metrics,
                               SchedulerMetrics& metrics, const Stopwatch& stopwatch)
    : cluster_(cluster),
      profiles_(profiles),
      queue_(queue),
      inflight_(inflight),
      refusals_(refusals),
      attempt_metrics_(attempt_metrics),
      metrics_(metrics),
      stopwatch_(stopwatch) {}

void FailureHandler::Refuse(PodId id, RefusalCache::Shared diagnosis,
                            std::optional<std::string> nominated, Duration began,
                            const api::Turn& turn) {
  Report(id, kUnschedulableReason, diagnosis->Message(), std::move(nominated), turn);
  Requeue(id, std::move(diagnosis), began, turn.now);
}

void FailureHandler::RefuseAfterWrites(PodId id, RefusalCache::Shared diagnosis,
                                       std::vector<api::Write> writes,
                                       std::optional<std::string> nominated, Duration began,
                                       const api::Turn& turn) {
  Requeue(id, std::move(diagnosis), began, turn.now);
  const api::ActionId action = inflight_.Start(InflightActions::Kind::Write, id);
  turn.Do(
      api::WriteInOrder{.id = action, .pod = cluster_.pod(id).object, .writes = std::move(writes)});
  delayed_[id] = {action, std::move(nominated)};
  queue_.Hold(id);
}

bool FailureHandler::OnWritesFinished(PodId id, api::ActionId action, const Status& status,
                                      const api::Turn& turn) {
  const auto found = delayed_.find(id);
  if (found == delayed_.end() || found->second.action != action) return false;
  std::optional<std::string> nominated = std::move(found->second.nominated);
  delayed_.erase(found);
  if (!status) {
    auto diagnosis = std::make_shared<Diagnosis>(*refusals_.Last(id));
    diagnosis->post_filter = status.error().message;
    refusals_.SetLast(id, std::move(diagnosis));
  }
  Report(id, kUnschedulableReason, refusals_.Last(id)->Message(), std::move(nominated), turn);
  return true;
}

void FailureHandler::Requeue(PodId id, RefusalCache::Shared diagnosis, Duration began,
                             Instant now) {
  const std::size_t profile = queue_.profile(id);
  metrics_.Attempted(profile, AttemptResult::Unschedulable, stopwatch_.Now() - began);
  attempt_metrics_.CountRefusal(profile, *diagnosis);
  const HintTable& hints = queue_.hints(profile);
  const PluginSet refused = hints.Named(diagnosis->unschedulable_plugins);
  const PluginSet pending = hints.Named(diagnosis->pending_plugins);
  refusals_.SetLast(id, std::move(diagnosis));
  // If there are no nodes, no plugin refused the pod, so no event hint can requeue it.
  if ((refused | pending) != 0) {
    queue_.AddUnschedulable(id, refused, pending, now);
  } else {
    queue_.AddFailed(id, now);
  }
}

void FailureHandler::Fail(PodId id, Duration began, std::string message, const api::Turn& turn) {
  metrics_.Attempted(queue_.profile(id), AttemptResult::Error, stopwatch_.Now() - began);
  Report(id, kErrorReason, std::move(message), std::nullopt, turn);
  queue_.AddFailed(id, turn.now);
}

void FailureHandler::ReportFault(PodId id, std::string_view fault, const api::Turn& turn) {
  metrics_.Attempted(queue_.profile(id), AttemptResult::Error, Duration::zero());
  Report(id, kErrorReason,
         "the scheduler cannot process the pod and leaves it alone until it changes: " +
             std::string(fault),
         std::nullopt, turn);
}

void FailureHandler::Forget(PodId id) {
  delayed_.erase(id);
  refusals_.ClearLast(id);
}

void FailureHandler::Warn(const ObjectPtr& pod, std::size_t profile, std::string_view reason,
                          std::string_view note, const api::Turn& turn) const {
  turn.Do(api::RecordEvent{.regarding = pod,
                           .type = api::EventType::Warning,
                           .reason = std::string(reason),
                           .message = TruncateNote(note),
                           .component = ProfileName(profile),
                           .action = "Scheduling"});
}

void FailureHandler::Report(PodId id, std::string_view reason, std::string message,
                            std::optional<std::string> nominated, const api::Turn& turn) {
  const PodRecord& record = cluster_.pod(id);
  Warn(record.object, queue_.profile(id), kFailedEvent, message, turn);
  if (nominated == record.pod->status.nominated_node_name) nominated.reset();
  std::optional<api::PodCondition> condition =
      UnscheduledCondition(*record.object, reason, std::move(message), turn.now);
  if (!condition && !nominated) return;
  turn.Do(api::UpdatePodStatus{.id = inflight_.Start(InflightActions::Kind::PatchStatus, id),
                               .pod = record.object,
                               .condition = std::move(condition),
                               .nominated_node = std::move(nominated)});
}

void FailureHandler::ReportSkipped(PodId id, const api::Turn& turn) const {
  const PodRecord& record = cluster_.pod(id);
  Warn(record.object, queue_.profile(id), kFailedEvent, SkippedNote(record.pod->metadata), turn);
}

void FailureHandler::ReportInvalidAnnotations(PodId id, std::size_t profile,
                                              const api::Turn& turn) {
  const ObjectPtr object = cluster_.pod(id).object;
  const std::string_view fault = api::FaultOf(*object);
  auto diagnosis = std::make_shared<Diagnosis>();
  diagnosis->error = Verdict::Of(Code::Error, "invalid annotations: " + std::string(fault));
  std::string message = diagnosis->error.Message();
  Warn(object, profile, "InvalidAnnotation", fault, turn);
  Warn(object, profile, kFailedEvent, message, turn);
  refusals_.SetLast(id, std::move(diagnosis));
  // Not `Unschedulable`: more nodes would not help, and an autoscaler must not add any.
  std::optional<api::PodCondition> condition =
      UnscheduledCondition(*object, kErrorReason, std::move(message), turn.now);
  if (!condition) return;
  turn.Do(api::UpdatePodStatus{.id = inflight_.Start(InflightActions::Kind::PatchStatus, id),
                               .pod = object,
                               .condition = std::move(condition),
                               .nominated_node = std::nullopt});
}

}  // namespace plimsoll::scheduler
