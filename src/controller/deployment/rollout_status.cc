#include <algorithm>
#include <chrono>
#include <string>
#include <utility>

#include "base/time_arithmetic.h"
#include "controller/deployment/deployment.h"
#include "controller/workload/tree.h"

// Computes the status of a Deployment, which `kubectl rollout status` reads.
namespace plimsoll::controller {
namespace {

constexpr std::string_view kProgressing = "Progressing";
constexpr std::string_view kTimedOut = "ProgressDeadlineExceeded";
constexpr std::string_view kNewSetAvailable = "NewReplicaSetAvailable";

struct Counts {
  std::int64_t replicas = 0;
  std::int64_t updated = 0;
  std::int64_t ready = 0;
  std::int64_t available = 0;
  std::int64_t unavailable = 0;
  std::int64_t terminating = 0;

  bool IsComplete(std::int64_t wanted) const {
    return updated == wanted && replicas == wanted && available == wanted;
  }
  /// Returns true if there are more new or fewer old replicas than before.
  bool HasProgressedSince(const Counts& before) const {
    return updated > before.updated || replicas - updated < before.replicas - before.updated ||
           ready > before.ready || available > before.available;
  }
};

Counts StoredCounts(const codec::Value& tree) {
  return {.replicas = IntAt(tree, {"status", "replicas"}),
          .updated = IntAt(tree, {"status", "updatedReplicas"}),
          .ready = IntAt(tree, {"status", "readyReplicas"}),
          .available = IntAt(tree, {"status", "availableReplicas"})};
}

Counts Count(const RolloutSets& sets, const RolloutSet* new_set) {
  Counts counts;
  std::int64_t wanted = 0;
  for (const RolloutSet* const set : sets) {
    wanted += set->replicas;
    counts.replicas += set->actual;
    counts.ready += set->ready;
    counts.available += set->available;
    counts.terminating += set->terminating;
  }
  counts.updated = new_set == nullptr ? 0 : new_set->actual;
  counts.unavailable = std::max<std::int64_t>(0, wanted - counts.available);
  return counts;
}

/// Sets a condition like upstream: if status and reason are equal, even the message is kept.
void SetCondition(WorkloadConditions& conditions, std::string_view type, std::string_view status,
                  std::string_view reason, std::string message, Instant now) {
  const WorkloadCondition* const known = conditions.Find(type);
  if (known != nullptr && known->status == status && known->reason == reason) return;
  const std::string time = FormatTime(now);
  const bool is_kept = known != nullptr && known->status == status;
  conditions.Set({.type = std::string(type),
                  .status = std::string(status),
                  .reason = std::string(reason),
                  .message = std::move(message),
                  .last_transition_time = is_kept ? known->last_transition_time : time,
                  .last_update_time = time});
}

/// Returns the progress deadline, counted from the last update of the Progressing condition.
std::optional<Instant> DeadlineOf(const WorkloadConditions& conditions, const RolloutSpec& spec) {
  const WorkloadCondition* const progressing = conditions.Find(kProgressing);
  if (progressing == nullptr) return std::nullopt;
  const Result<Instant> since = ParseTime(progressing->last_update_time);
  if (!since) return std::nullopt;
  return SaturatingAdd(*since, SaturatingSeconds(spec.progress_deadline_seconds));
}

bool IsTimedOut(const WorkloadConditions& conditions, const RolloutSpec& spec, Instant now) {
  const WorkloadCondition* const progressing = conditions.Find(kProgressing);
  if (progressing == nullptr || progressing->reason == kNewSetAvailable) return false;
  if (progressing->reason == kTimedOut) return true;
  const auto deadline = DeadlineOf(conditions, spec);
  return deadline && *deadline < now;
}

/// Returns a set with a ReplicaFailure condition, preferably the new one, or null.
const RolloutSet* FindFailing(const RolloutSets& all, const RolloutSet* new_set) {
  const auto fails = [](const RolloutSet* set) {
    return WorkloadConditions(*set->object).Find("ReplicaFailure") != nullptr;
  };
  if (new_set != nullptr && fails(new_set)) return new_set;
  const auto found = std::ranges::find_if(all, fails);
  return found == all.end() ? nullptr : *found;
}

void CopyFailure(WorkloadConditions& conditions, const RolloutSet* failing) {
  if (failing == nullptr) {
    conditions.Remove("ReplicaFailure");
    return;
  }
  WorkloadCondition failure = *WorkloadConditions(*failing->object).Find("ReplicaFailure");
  const WorkloadCondition* const known = conditions.Find("ReplicaFailure");
  if (known != nullptr && known->status == failure.status && known->reason == failure.reason) {
    return;
  }
  failure.last_update_time = failure.last_transition_time;
  conditions.Set(std::move(failure));
}

/// Updates the Progressing condition. REQUIRES: the Deployment has a progress deadline.
void NoteProgress(WorkloadConditions& conditions, const RolloutSpec& spec, const Counts& before,
                  const Counts& counts, const std::string& subject, Instant now) {
  const WorkloadCondition* const known = conditions.Find(kProgressing);
  if (counts.replicas == counts.updated && known != nullptr && known->reason == kNewSetAvailable) {
    return;
  }
  if (counts.IsComplete(spec.replicas)) {
    SetCondition(conditions, kProgressing, "True", kNewSetAvailable,
                 subject + " has successfully progressed.", now);
  } else if (counts.HasProgressedSince(before)) {
    const std::string time = FormatTime(now);
    const bool is_kept = known != nullptr && known->status == "True";
    conditions.Set({.type = std::string(kProgressing),
                    .status = "True",
                    .reason = "ReplicaSetUpdated",
                    .message = subject + " is progressing.",
                    .last_transition_time = is_kept ? known->last_transition_time : time,
                    .last_update_time = time});
  } else if (IsTimedOut(conditions, spec, now)) {
    SetCondition(conditions, kProgressing, "False", kTimedOut,
                 subject + " has timed out progressing.", now);
  }
}

}  // namespace

void DeploymentController::CheckPaused(Rollout& rollout) {
  if (!rollout.spec.has_progress_deadline()) return;
  const WorkloadCondition* const known = rollout.conditions.Find(kProgressing);
  if (known != nullptr && known->reason == kTimedOut) return;
  const bool was_paused = known != nullptr && known->reason == "DeploymentPaused";
  if (rollout.spec.is_paused && !was_paused) {
    SetCondition(rollout.conditions, kProgressing, "Unknown", "DeploymentPaused",
                 "Deployment is paused", rollout.turn.now);
  } else if (!rollout.spec.is_paused && was_paused) {
    SetCondition(rollout.conditions, kProgressing, "Unknown", "DeploymentResumed",
                 "Deployment is resumed", rollout.turn.now);
  }
}

void DeploymentController::WriteStatus(Rollout& rollout, bool has_progress) {
  if (rollout.is_written) return;
  Deployment& deployment = rollout.deployment;
  const RolloutSpec& spec = rollout.spec;
  const Counts counts = Count(rollout.all, rollout.new_set);
  WorkloadConditions& conditions = rollout.conditions;
  if (counts.available >= spec.replicas - spec.max_unavailable) {
    SetCondition(conditions, "Available", "True", "MinimumReplicasAvailable",
                 "Deployment has minimum availability.", rollout.turn.now);
  } else {
    SetCondition(conditions, "Available", "False", "MinimumReplicasUnavailable",
                 "Deployment does not have minimum availability.", rollout.turn.now);
  }
  if (has_progress) {
    if (!spec.has_progress_deadline()) {
      conditions.Remove(kProgressing);
    } else {
      const std::string subject =
          rollout.new_set != nullptr
              ? "ReplicaSet \"" + std::string(rollout.new_set->name()) + "\""
              : "Deployment \"" + std::string(deployment.metadata().name) + "\"";
      NoteProgress(conditions, spec, StoredCounts(deployment.object->tree()), counts, subject,
                   rollout.turn.now);
      if (deployment.create_error && rollout.new_set == nullptr) {
        SetCondition(conditions, kProgressing, "False", "ReplicaSetCreateError",
                     *deployment.create_error, rollout.turn.now);
      }
    }
    CopyFailure(conditions, FindFailing(rollout.all, rollout.new_set));
  }
  StatusChange change(*deployment.object);
  change.Count("observedGeneration", deployment.metadata().generation.value_or(0))
      .Count("replicas", counts.replicas)
      .Count("updatedReplicas", counts.updated)
      .Count("readyReplicas", counts.ready)
      .Count("availableReplicas", counts.available)
      .Count("unavailableReplicas", counts.unavailable)
      .Int("terminatingReplicas", counts.terminating);
  if (conditions.is_changed()) change.Raw("conditions", conditions.Json());
  if (!change.empty()) {
    rollout.turn.Do(PatchObject{.id = Begin(deployment, {.kind = Write::Kind::Status}),
                                .object = deployment.object,
                                .subresource = "status",
                                .body = change.Patch()});
    return;
  }
  deployment.created_set.clear();
  const WorkloadCondition* const progressing = conditions.Find(kProgressing);
  if (!has_progress || !spec.has_progress_deadline() || counts.IsComplete(spec.replicas)) return;
  if (progressing == nullptr || progressing->reason == kTimedOut) return;
  // Stored times are rounded down to seconds; one more second ensures that the deadline is over.
  if (const auto deadline = DeadlineOf(conditions, spec)) {
    queue_.AddAt(deployment.uid, *deadline + std::chrono::seconds(1));
  }
}

}  // namespace plimsoll::controller
