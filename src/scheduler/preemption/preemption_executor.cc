#include "scheduler/preemption/preemption_executor.h"

#include <utility>

#include "scheduler/event_text.h"

namespace plimsoll::scheduler {

PreemptionExecutor::PreemptionExecutor(const ClusterState& cluster, const Profiles& profiles,
                                       SchedulingQueue& queue, WaitingPods& waiting,
                                       InflightActions& inflight, SchedulerMetrics& metrics,
                                       const Stopwatch& stopwatch)
    : cluster_(cluster),
      profiles_(profiles),
      queue_(queue),
      waiting_(waiting),
      inflight_(inflight),
      metrics_(metrics),
      stopwatch_(stopwatch) {}

PreemptionExecutor::Preemption& PreemptionExecutor::PreemptionOf(PodId preemptor) {
  const auto [at, is_new] = preemptions_.try_emplace(preemptor);
  if (is_new) at->second.serial = ++serials_;
  return at->second;
}

void PreemptionExecutor::Evict(PodId preemptor, const PostFilterOutcome& outcome,
                               const api::Turn& turn) {
  if (outcome.victims.empty()) return;
  metrics_.Preempted(outcome.victims.size());
  const std::string_view profile = profiles_[queue_.profile(preemptor)]->options().profile;
  for (const PodId victim : outcome.victims) {
    const PodRecord& record = cluster_.pod(victim);
    if (record.is_terminating) continue;
    Eviction eviction{.victim = record.object,
                      .preemptor = cluster_.pod(preemptor).object,
                      .node = std::string(cluster_.node_name(outcome.node)),
                      .profile = profile,
                      .preemptor_id = preemptor};
    if (waiting_.IsWaiting(victim)) {
      // The victim waits at Permit and is not bound yet: reject it there instead of evicting it.
      waiting_.Reject(victim, outcome.verdict.plugin, "preempted");
      RecordPreempted(eviction, turn);
      continue;
    }
    Preemption& preemption = PreemptionOf(preemptor);
    ++preemption.running;
    eviction.preemption = preemption.serial;
    const api::ActionId id = inflight_.Start(InflightActions::Kind::Evict, preemptor);
    turn.Do(api::EvictPod{.id = id,
                          .pod = record.object,
                          .reason = "PreemptionByScheduler",
                          .message = PreemptionMessage(profile)});
    evictions_.emplace(id, std::move(eviction));
  }
  const auto found = preemptions_.find(preemptor);
  if (found == preemptions_.end()) return;
  found->second.began = stopwatch_.Now();
  // Hold the preemptor until all eviction requests have been answered.
  queue_.Hold(preemptor);
}

void PreemptionExecutor::RecordPreempted(const Eviction& eviction, const api::Turn& turn) {
  turn.Do(
      api::RecordEvent{.regarding = eviction.victim,
                       .type = api::EventType::Normal,
                       .reason = "Preempted",
                       .message = PreemptedNote(eviction.preemptor->metadata().uid, eviction.node),
                       .component = eviction.profile,
                       .action = "Preempting",
                       .related = eviction.preemptor});
}

void PreemptionExecutor::OnEvicted(api::ActionId id, const Status& status, const api::Turn& turn) {
  const auto node = evictions_.extract(id);
  if (node.empty()) return;
  const Eviction& eviction = node.mapped();
  const bool is_gone = !status && status.error().reason == Reason::NotFound;
  if (status) RecordPreempted(eviction, turn);
  const PodId preemptor = eviction.preemptor_id;
  const auto found = preemptions_.find(preemptor);
  // The preemption may have been ended, and the pod or another with its PodId may preempt again.
  if (found == preemptions_.end() || found->second.serial != eviction.preemption) return;
  Preemption& preemption = found->second;
  preemption.has_failed |= !status && !is_gone;
  if (--preemption.running > 0) return;
  const bool has_failed = preemption.has_failed;
  metrics_.PreemptionEnded(!has_failed, stopwatch_.Now() - preemption.began);
  preemptions_.erase(found);
  queue_.Release(preemptor, turn.now);
  if (has_failed) queue_.Activate(preemptor, turn.now);
}

}  // namespace plimsoll::scheduler
