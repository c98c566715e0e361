#include <algorithm>
#include <utility>

#include "controller/deployment/deployment.h"
#include "controller/workload/template_hash.h"
#include "controller/workload/tree.h"

// Scales the old ReplicaSets down and the new one up.
namespace plimsoll::controller {
namespace {

RolloutSets Active(const RolloutSets& sets) {
  RolloutSets active;
  std::ranges::copy_if(sets, std::back_inserter(active),
                       [](const RolloutSet* set) { return set->replicas > 0; });
  return active;
}

/// Returns the only set with replicas, or the newest if none has any; null if several have.
RolloutSet* ActiveOrLatest(const RolloutSets& all, RolloutSet* new_set) {
  const RolloutSets active = Active(all);
  if (active.size() == 1) return active.front();
  if (active.size() > 1) return nullptr;
  if (new_set != nullptr) return new_set;
  return all.empty() ? nullptr : all.back();
}

bool IsSaturated(const RolloutSpec& spec, const RolloutSet* set) {
  return set != nullptr && set->replicas == spec.replicas && set->available == spec.replicas &&
         AnnotatedNumber(*set->object, kDesiredReplicas) == spec.replicas;
}

}  // namespace

std::deque<RolloutSet> DeploymentController::SetsOf(const Deployment& deployment) const {
  std::deque<RolloutSet> sets;
  const auto own = sets_of_.find(deployment.uid);
  if (own == sets_of_.end()) return sets;
  for (const Key& key : own->second) sets.push_back(ReadRolloutSet(sets_.at(key)));
  std::ranges::stable_sort(sets, {}, &RolloutSet::created);
  return sets;
}

DeploymentController::Rollout DeploymentController::MakeRollout(Deployment& deployment,
                                                                std::deque<RolloutSet> sets,
                                                                const Turn& turn) {
  Rollout rollout{deployment,
                  ReadRolloutSpec(*deployment.object),
                  std::move(sets),
                  {},
                  {},
                  nullptr,
                  WorkloadConditions(*deployment.object),
                  turn};
  const codec::Value* const pod_template = FindAt(deployment.object->tree(), {"spec", "template"});
  for (RolloutSet& set : rollout.sets) {
    rollout.all.push_back(&set);
    // If several sets have this template, the oldest one is the new set.
    if (rollout.new_set == nullptr &&
        SameTemplate(pod_template, FindAt(set.object->tree(), {"spec", "template"}))) {
      rollout.new_set = &set;
    } else {
      rollout.old_sets.push_back(&set);
    }
  }
  return rollout;
}

void DeploymentController::RollOut(Rollout& rollout) {
  if (!EnsureNewSet(rollout, /*may_create=*/true)) {
    return WriteStatus(rollout, /*has_progress=*/true);
  }
  RolloutSet& fresh = *rollout.new_set;
  const RolloutSpec& spec = rollout.spec;
  if (fresh.replicas > spec.replicas) {
    fresh.want = spec.replicas;
  } else {
    fresh.want = NewSetReplicas(spec, rollout.all, fresh.replicas);
  }
  if (fresh.want == fresh.replicas) ScaleDownOld(spec, rollout.old_sets, fresh);
  WriteScales(rollout);
  CleanUp(rollout);
  WriteStatus(rollout, /*has_progress=*/true);
}

bool DeploymentController::HasOldPods(const Rollout& rollout) const {
  return std::ranges::any_of(rollout.old_sets, [&](const RolloutSet* set) {
    return set->actual > 0 || pods_of_.contains(set->object->metadata().uid);
  });
}

void DeploymentController::RollOutRecreate(Rollout& rollout) {
  if (!EnsureNewSet(rollout, /*may_create=*/false)) {
    return WriteStatus(rollout, /*has_progress=*/true);
  }
  const RolloutSets active = Active(rollout.old_sets);
  for (RolloutSet* const set : active) set->want = 0;
  if (active.empty() && !HasOldPods(rollout)) {
    if (rollout.new_set == nullptr && !EnsureNewSet(rollout, /*may_create=*/true)) {
      return WriteStatus(rollout, /*has_progress=*/true);
    }
    rollout.new_set->want = rollout.spec.replicas;
  }
  WriteScales(rollout);
  CleanUp(rollout);
  WriteStatus(rollout, /*has_progress=*/true);
}

/// Scales without moving replicas between sets: the size changed or the rollout is paused.
void DeploymentController::ScaleOnly(Rollout& rollout) {
  const RolloutSpec& spec = rollout.spec;
  if (!EnsureNewSet(rollout, /*may_create=*/false)) return WriteStatus(rollout, false);
  if (RolloutSet* const only = ActiveOrLatest(rollout.all, rollout.new_set)) {
    only->want = spec.replicas;
  } else if (IsSaturated(spec, rollout.new_set)) {
    for (RolloutSet* const set : rollout.old_sets) set->want = 0;
  } else if (spec.is_rolling) {
    ScaleProportionally(spec, Active(rollout.all),
                        IntAt(rollout.deployment.object->tree(), {"status", "replicas"}));
  }
  WriteScales(rollout);
  if (spec.is_paused) CleanUp(rollout);
  WriteStatus(rollout, /*has_progress=*/false);
}

/// Writes the sizes. Each ReplicaSet is annotated with the Deployment's size, so that a later sync
/// can tell a scale event from a rollout.
void DeploymentController::WriteScales(Rollout& rollout) {
  const RolloutSpec& spec = rollout.spec;
  for (const RolloutSet* const set : rollout.all) {
    const bool is_resized = set->want != set->replicas;
    const bool is_remembered =
        set->replicas == 0 || (AnnotatedNumber(*set->object, kDesiredReplicas) == spec.replicas &&
                               AnnotatedNumber(*set->object, kMaxReplicas) == spec.max_replicas());
    if (!is_resized && is_remembered) continue;
    const api::ObjectMeta& metadata = set->object->metadata();
    JsonText annotations;
    annotations.Text(kDesiredReplicas, std::to_string(spec.replicas))
        .Text(kMaxReplicas, std::to_string(spec.max_replicas()));
    JsonText patch;
    patch.Raw("metadata", JsonText()
                              .Text("uid", metadata.uid)
                              .Text("resourceVersion", metadata.resource_version)
                              .Raw("annotations", annotations.Done())
                              .Done());
    Write write{.kind = Write::Kind::Scale};
    if (is_resized) {
      patch.Raw("spec", JsonText().Int("replicas", set->want).Done());
      write.event_reason = "ScalingReplicaSet";
      write.event = std::string(set->want > set->replicas ? "Scaled up" : "Scaled down") +
                    " replica set " + std::string(set->name()) + " from " +
                    std::to_string(set->replicas) + " to " + std::to_string(set->want);
    }
    rollout.turn.Do(PatchObject{.id = Begin(rollout.deployment, std::move(write)),
                                .object = set->object,
                                .body = patch.Done()});
  }
}

/// Deletes the oldest revisions beyond the limit, once the rollout is complete.
void DeploymentController::CleanUp(Rollout& rollout) {
  const RolloutSpec& spec = rollout.spec;
  const codec::Value& tree = rollout.deployment.object->tree();
  const bool is_complete = IntAt(tree, {"status", "updatedReplicas"}) == spec.replicas &&
                           IntAt(tree, {"status", "replicas"}) == spec.replicas &&
                           IntAt(tree, {"status", "availableReplicas"}) == spec.replicas &&
                           IntAt(tree, {"status", "observedGeneration"}) >=
                               rollout.deployment.metadata().generation.value_or(0);
  if (!spec.is_paused && !is_complete) return;
  if (spec.revision_history_limit == INT32_MAX) return;
  RolloutSets cleanable;
  for (RolloutSet* const set : rollout.old_sets) {
    if (set->object->metadata().deletion_timestamp.empty()) cleanable.push_back(set);
  }
  std::ranges::stable_sort(cleanable, {}, &RolloutSet::revision);
  const std::int64_t surplus =
      static_cast<std::int64_t>(cleanable.size()) - spec.revision_history_limit;
  for (std::int64_t i = 0; i < surplus; ++i) {
    const RolloutSet& set = *cleanable[static_cast<std::size_t>(i)];
    const std::int64_t observed = IntAt(set.object->tree(), {"status", "observedGeneration"});
    if (set.actual != 0 || set.replicas != 0 || set.want != 0 ||
        set.object->metadata().generation.value_or(0) > observed) {
      continue;
    }
    rollout.turn.Do(DeleteObject{.id = Begin(rollout.deployment, {.kind = Write::Kind::Other}),
                                 .object = set.object});
  }
}

}  // namespace plimsoll::controller
