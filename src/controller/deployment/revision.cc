#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "codec/json.h"
#include "controller/deployment/deployment.h"
#include "controller/limits.h"
#include "controller/workload/pod_template.h"
#include "controller/workload/template_hash.h"
#include "controller/workload/tree.h"

// Finds or creates the ReplicaSet of the current template, and numbers revisions.
namespace plimsoll::controller {
namespace {

/// Returns false for annotations that describe the Deployment itself and not its pods.
bool IsCopied(std::string_view annotation) {
  static constexpr std::array<std::string_view, 6> kOwn = {
      "kubectl.kubernetes.io/last-applied-configuration",
      kRevision,
      kRevisionHistory,
      kDesiredReplicas,
      kMaxReplicas,
      kRollbackTo};
  return std::ranges::find(kOwn, annotation) == kOwn.end();
}

/// Returns the ReplicaSet annotations that must change, with their new values.
JsonText ChangedAnnotations(const api::Object& deployment, const api::Object& set,
                            std::int64_t revision) {
  JsonText changed;
  const api::StringMap& known = set.metadata().annotations;
  for (const auto& [key, value] : deployment.metadata().annotations) {
    if (IsCopied(key) && known.Find(key) != value) changed.Text(key, value);
  }
  const auto old_revision = AnnotatedNumber(set, kRevision);
  if (old_revision.value_or(0) >= revision) return changed;
  changed.Text(kRevision, std::to_string(revision));
  if (!old_revision) return changed;
  std::string history(known.Find(kRevisionHistory).value_or(""));
  while (history.size() > kRevisionHistoryBytesMax && history.contains(',')) {
    history.erase(0, history.find(',') + 1);
  }
  changed.Text(kRevisionHistory,
               (history.empty() ? "" : history + ",") + std::to_string(*old_revision));
  return changed;
}

/// Copies the object (a selector or metadata) and sets the template hash in its labels.
std::string WithLabel(const codec::Value* object, std::string_view labels_key,
                      const std::string& hash) {
  JsonText labels;
  JsonText text;
  if (object != nullptr) {
    for (const codec::Member& member : object->members()) {
      if (member.key != labels_key) {
        text.Raw(member.key, codec::WriteJson(member.value));
        continue;
      }
      for (const codec::Member& label : member.value.members()) {
        if (label.key != kPodTemplateHash) labels.Raw(label.key, codec::WriteJson(label.value));
      }
    }
  }
  if (!hash.empty()) labels.Text(kPodTemplateHash, hash);
  if (!labels.empty()) text.Raw(labels_key, labels.Done());
  return text.Done();
}

std::string WithHash(const codec::Value& pod_template, const std::string& hash) {
  JsonText text;
  text.Raw("metadata", WithLabel(pod_template.Find("metadata"), "labels", hash));
  for (const codec::Member& member : pod_template.members()) {
    if (member.key != "metadata") text.Raw(member.key, codec::WriteJson(member.value));
  }
  return text.Done();
}

}  // namespace

bool DeploymentController::EnsureNewSet(Rollout& rollout, bool may_create) {
  std::int64_t newest = 0;
  for (const RolloutSet* const set : rollout.old_sets) newest = std::max(newest, set->revision);
  if (rollout.new_set != nullptr) return UpdateNewSet(rollout, newest + 1);
  if (!may_create) return true;
  CreateNewSet(rollout, newest + 1);
  return false;
}

bool DeploymentController::UpdateNewSet(Rollout& rollout, std::int64_t revision) {
  const RolloutSet& set = *rollout.new_set;
  const api::Object& deployment = *rollout.deployment.object;
  const JsonText annotations = ChangedAnnotations(deployment, *set.object, revision);
  JsonText spec;
  if (IntAt(set.object->tree(), {"spec", "minReadySeconds"}) != rollout.spec.min_ready_seconds) {
    spec.Int("minReadySeconds", rollout.spec.min_ready_seconds);
  }
  if (!annotations.empty() || !spec.empty()) {
    const api::ObjectMeta& metadata = set.object->metadata();
    JsonText patch;
    patch.Raw("metadata", JsonText()
                              .Text("uid", metadata.uid)
                              .Text("resourceVersion", metadata.resource_version)
                              .Raw("annotations", annotations.Done())
                              .Done());
    if (!spec.empty()) patch.Raw("spec", spec.Done());
    rollout.turn.Do(PatchObject{.id = Begin(rollout.deployment, {.kind = Write::Kind::Other}),
                                .object = set.object,
                                .body = patch.Done()});
    return false;
  }
  if (!SetRevision(rollout, set.revision)) return false;
  const std::string name(set.name());
  if (!rollout.spec.has_progress_deadline()) return true;
  const auto set_condition = [&](std::string_view reason, const std::string& message) {
    const WorkloadCondition* const known = rollout.conditions.Find("Progressing");
    if (known != nullptr && known->status == "True" && known->reason == reason) return;
    const std::string time = FormatTime(rollout.turn.now);
    const bool is_kept = known != nullptr && known->status == "True";
    rollout.conditions.Set({.type = "Progressing",
                            .status = "True",
                            .reason = std::string(reason),
                            .message = message,
                            .last_transition_time = is_kept ? known->last_transition_time : time,
                            .last_update_time = time});
  };
  if (rollout.deployment.created_set == name) {
    set_condition("NewReplicaSetCreated", "Created new replica set \"" + name + "\"");
  } else if (rollout.conditions.Find("Progressing") == nullptr) {
    set_condition("FoundNewReplicaSet", "Found new replica set \"" + name + "\"");
  }
  return true;
}

/// Sets the Deployment's revision annotation, which `kubectl rollout history` reads.
bool DeploymentController::SetRevision(Rollout& rollout, std::int64_t revision) {
  const ObjectPtr& object = rollout.deployment.object;
  if (AnnotatedNumber(*object, kRevision) == revision) return true;
  rollout.is_written = true;
  const std::string annotations = JsonText().Text(kRevision, std::to_string(revision)).Done();
  rollout.turn.Do(PatchObject{
      .id = Begin(rollout.deployment, {.kind = Write::Kind::Other}),
      .object = object,
      // Written through the status like upstream: it does not increment the generation.
      .subresource = "status",
      .body = JsonText()
                  .Raw("metadata", JsonText()
                                       .Text("uid", object->metadata().uid)
                                       .Text("resourceVersion", object->metadata().resource_version)
                                       .Raw("annotations", annotations)
                                       .Done())
                  .Done()});
  return false;
}

void DeploymentController::CreateNewSet(Rollout& rollout, std::int64_t revision) {
  const api::Object& object = *rollout.deployment.object;
  const codec::Value* const pod_template = FindAt(object.tree(), {"spec", "template"});
  if (pod_template == nullptr) return;
  const codec::Value* const collisions = FindAt(object.tree(), {"status", "collisionCount"});
  const std::string hash = TemplateHash(*pod_template, collisions != nullptr && collisions->is_int()
                                                           ? std::optional(collisions->AsInt())
                                                           : std::nullopt);
  const std::string name = std::string(object.metadata().name) + "-" + hash;
  const std::int64_t replicas = NewSetReplicas(rollout.spec, rollout.all, 0);
  JsonText annotations;
  for (const auto& [key, value] : object.metadata().annotations) {
    if (IsCopied(key)) annotations.Text(key, value);
  }
  annotations.Text(kRevision, std::to_string(revision))
      .Text(kDesiredReplicas, std::to_string(rollout.spec.replicas))
      .Text(kMaxReplicas, std::to_string(rollout.spec.max_replicas()));
  JsonText labels;
  for (const auto& [key, value] : TemplateLabels(*pod_template)) {
    if (key != kPodTemplateHash) labels.Text(key, value);
  }
  labels.Text(kPodTemplateHash, hash);
  JsonText metadata;
  metadata.Text("name", name)
      .Text("namespace", object.metadata().namespace_)
      .Raw("labels", labels.Done())
      .Raw("annotations", annotations.Done())
      .Raw("ownerReferences", "[" + ControllerReferenceJson(object) + "]");
  JsonText spec;
  spec.Int("replicas", replicas)
      .Int("minReadySeconds", rollout.spec.min_ready_seconds)
      .Raw("selector", WithLabel(FindAt(object.tree(), {"spec", "selector"}), "matchLabels", hash))
      .Raw("template", WithHash(*pod_template, hash));
  Write write{.kind = Write::Kind::Create, .set_name = name};
  if (replicas > 0) {
    write.event_reason = "ScalingReplicaSet";
    write.event = "Scaled up replica set " + name + " from 0 to " + std::to_string(replicas);
  }
  rollout.turn.Do(CreateObject{.id = Begin(rollout.deployment, std::move(write)),
                               .object = api::ObjectRef(*set_kind_, object.metadata().namespace_),
                               .body = JsonText()
                                           .Text("apiVersion", "apps/v1")
                                           .Text("kind", "ReplicaSet")
                                           .Raw("metadata", metadata.Done())
                                           .Raw("spec", spec.Done())
                                           .Done()});
}

/// Returns true if the Deployment was written and the rest of the sync must wait.
bool DeploymentController::RollBack(Rollout& rollout) {
  if (!EnsureNewSet(rollout, /*may_create=*/true)) return true;
  std::int64_t revision = AnnotatedNumber(*rollout.deployment.object, kRollbackTo).value_or(0);
  const auto warn = [&](std::string_view reason, std::string message) {
    rollout.turn.Do(RecordEvent{rollout.deployment.object, EventType::Warning, std::string(reason),
                                std::move(message)});
  };
  if (revision == 0) {
    // No revision given: takes the one before the newest.
    std::vector<std::int64_t> revisions;
    for (const RolloutSet* const set : rollout.all) revisions.push_back(set->revision);
    std::ranges::sort(revisions, std::greater());
    revision = revisions.size() > 1 ? revisions[1] : 0;
    if (revision == 0) {
      warn("DeploymentRollbackRevisionNotFound", "Unable to find last revision.");
      ClearRollback(rollout, {}, {});
      return true;
    }
  }
  const auto found = std::ranges::find(rollout.all, revision, &RolloutSet::revision);
  if (found == rollout.all.end()) {
    warn("DeploymentRollbackRevisionNotFound", "Unable to find the revision to rollback to.");
    ClearRollback(rollout, {}, {});
  } else if (*found == rollout.new_set) {
    warn("DeploymentRollbackTemplateUnchanged",
         "The rollback revision contains the same template as current deployment \"" +
             std::string(rollout.deployment.metadata().name) + "\"");
    ClearRollback(rollout, {}, {});
  } else {
    RollBackTo(rollout, **found, revision);
  }
  return true;
}

void DeploymentController::RollBackTo(Rollout& rollout, const RolloutSet& set,
                                      std::int64_t revision) {
  const codec::Value* const pod_template = FindAt(set.object->tree(), {"spec", "template"});
  if (pod_template == nullptr) return;
  // Restores the annotations of that revision, and removes later ones that are copied to sets.
  JsonText annotations;
  for (const auto& [key, value] : rollout.deployment.metadata().annotations) {
    if (IsCopied(key) && !set.object->metadata().annotations.Has(key)) {
      annotations.Raw(key, "null");
    }
  }
  for (const auto& [key, value] : set.object->metadata().annotations) {
    if (IsCopied(key)) annotations.Text(key, value);
  }
  std::string replacement = WithHash(*pod_template, {});
  replacement.insert(1, R"("$patch":"replace",)");
  ClearRollback(rollout, std::move(replacement), annotations.empty() ? "" : annotations.Done());
  rollout.turn.Do(RecordEvent{rollout.deployment.object, EventType::Normal, "DeploymentRollback",
                              "Rolled back deployment \"" +
                                  std::string(rollout.deployment.metadata().name) +
                                  "\" to revision " + std::to_string(revision)});
}

void DeploymentController::ClearRollback(Rollout& rollout, std::string template_json,
                                         std::string annotations) {
  const ObjectPtr& object = rollout.deployment.object;
  const std::string cleared = JsonText().Raw(kRollbackTo, "null").Done();
  if (annotations.empty()) {
    annotations = cleared;
  } else {
    annotations.insert(1, cleared.substr(1, cleared.size() - 2) + ",");
  }
  JsonText patch;
  patch.Raw("metadata", JsonText()
                            .Text("uid", object->metadata().uid)
                            .Text("resourceVersion", object->metadata().resource_version)
                            .Raw("annotations", annotations)
                            .Done());
  if (!template_json.empty()) {
    patch.Raw("spec", JsonText().Raw("template", template_json).Done());
  }
  rollout.turn.Do(PatchObject{.id = Begin(rollout.deployment, {.kind = Write::Kind::Other}),
                              .object = object,
                              .body = patch.Done(),
                              .form = PatchForm::StrategicMerge});
}

}  // namespace plimsoll::controller
