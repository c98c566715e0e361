#include "controller/deployment/deployment.h"

#include <algorithm>
#include <array>
#include <utility>
#include <variant>

#include "api/core/pod_phase.h"
#include "base/assert.h"
#include "controller/limits.h"
#include "controller/workload/owned_pods.h"
#include "controller/workload/pod_template.h"
#include "controller/workload/template_hash.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

std::string ControllerUid(const ObjectPtr& object, std::string_view kind) {
  if (object == nullptr) return {};
  const api::OwnerReference* const owner = ControllerOf(object->metadata());
  return owner == nullptr || owner->kind != kind ? std::string() : std::string(owner->uid);
}

bool IsOrphan(const ObjectPtr& object) {
  return object != nullptr && ControllerOf(object->metadata()) == nullptr;
}

}  // namespace

DeploymentController::DeploymentController()
    : set_kind_(api::FindKind("apps", "v1", "ReplicaSet")) {
  PL_ASSERT(set_kind_ != nullptr);
}

std::span<const WatchedKind> DeploymentController::watched() const {
  static constexpr std::array kWatched = {WatchedKind{"apps", "v1", "Deployment"},
                                          WatchedKind{"apps", "v1", "ReplicaSet"},
                                          WatchedKind{"", "v1", "Pod"}};
  return kWatched;
}

void DeploymentController::Run(const Turn& turn) {
  while (const std::optional<std::string> uid = queue_.Take(turn.now)) {
    Deployment* const deployment = Find(*uid);
    if (deployment == nullptr) continue;
    if (!deployment->writes.empty()) {
      deployment->is_stale = true;
      continue;
    }
    deployment->last_sync = turn.now;
    deployment->is_stale = false;
    Sync(*deployment, turn);
  }
}

DeploymentController::Deployment* DeploymentController::Find(std::string_view uid) {
  const auto at = deployments_.find(uid);
  return at == deployments_.end() ? nullptr : &at->second;
}

void DeploymentController::Enqueue(Deployment& deployment, Instant now) {
  const Instant next = deployment.last_sync == Instant::min() ? now : deployment.last_sync + kPause;
  queue_.AddAt(deployment.uid, std::max(now, next));
}

void DeploymentController::OnChange(const ObjectChanged& change, Instant now) {
  const ObjectPtr& any = change.new_object ? change.new_object : change.old_object;
  if (any->As<api::Pod>() != nullptr) {
    OnPodChange(change.old_object, change.new_object, now);
  } else if (&any->kind() == set_kind_) {
    OnReplicaSetChange(change.old_object, change.new_object, now);
  } else if (any->kind().kind == "Deployment") {
    OnDeploymentChange(change.old_object, change.new_object, now);
  }
}

void DeploymentController::OnDeploymentChange(const ObjectPtr& before, const ObjectPtr& after,
                                              Instant now) {
  if (before != nullptr && (after == nullptr || after->metadata().uid != before->metadata().uid)) {
    const std::string uid(before->metadata().uid);
    uids_by_namespace_[std::string(before->metadata().namespace_)].erase(uid);
    deployments_.erase(uid);
    queue_.Erase(uid);
  }
  if (after == nullptr) return;
  Deployment& deployment = deployments_[std::string(after->metadata().uid)];
  deployment.object = after;
  deployment.uid = after->metadata().uid;
  const auto& view = *after->As<api::Workload>();
  Result<api::Selector> selector =
      api::Selector::FromObject(view.selector ? &*view.selector : nullptr);
  deployment.selector = selector ? std::move(*selector) : api::Selector::Nothing();
  uids_by_namespace_[std::string(after->metadata().namespace_)].insert(deployment.uid);
  Enqueue(deployment, now);
}

void DeploymentController::OnReplicaSetChange(const ObjectPtr& before, const ObjectPtr& after,
                                              Instant now) {
  const api::ObjectMeta& metadata = (after != nullptr ? after : before)->metadata();
  const Key key(metadata.namespace_, metadata.name);
  const std::string old_owner = ControllerUid(before, "Deployment");
  const std::string new_owner = ControllerUid(after, "Deployment");
  if (!old_owner.empty() && (old_owner != new_owner || after == nullptr)) {
    std::set<Key>& sets = sets_of_[old_owner];
    sets.erase(key);
    if (sets.empty()) sets_of_.erase(old_owner);
  }
  if (before != nullptr) deployment_of_set_.erase(std::string(before->metadata().uid));
  if (IsOrphan(before)) orphans_[key.first].erase(key.second);
  if (after == nullptr) {
    sets_.erase(key);
  } else {
    sets_[key] = after;
    if (!new_owner.empty()) {
      sets_of_[new_owner].insert(key);
      deployment_of_set_[std::string(metadata.uid)] = new_owner;
    }
    if (IsOrphan(after)) orphans_[key.first].insert(key.second);
  }
  for (const std::string& uid : {old_owner, new_owner}) {
    if (Deployment* const deployment = Find(uid)) {
      if (deployment->awaited_set == key.second) deployment->awaited_set.clear();
      Enqueue(*deployment, now);
    }
  }
  if (!IsOrphan(after)) return;
  for (const std::string& uid : uids_by_namespace_[key.first]) {
    Deployment& deployment = *Find(uid);
    if (deployment.selector.Matches(metadata.labels)) Enqueue(deployment, now);
  }
}

/// Counts the unfinished pods of each ReplicaSet. Recreate waits until old sets have none.
void DeploymentController::OnPodChange(const ObjectPtr& before, const ObjectPtr& after,
                                       Instant now) {
  const auto uid_of = [](const ObjectPtr& pod) {
    if (pod == nullptr || IsPodTerminal(*pod->As<api::Pod>())) return std::string();
    return ControllerUid(pod, "ReplicaSet");
  };
  const std::string old_uid = uid_of(before);
  const std::string new_uid = uid_of(after);
  if (old_uid == new_uid) return;
  if (!new_uid.empty()) ++pods_of_[new_uid];
  if (old_uid.empty()) return;
  const auto count = pods_of_.find(old_uid);
  if (count == pods_of_.end() || --count->second > 0) return;
  pods_of_.erase(count);
  const auto owner = deployment_of_set_.find(old_uid);
  if (owner == deployment_of_set_.end()) return;
  if (Deployment* const deployment = Find(owner->second)) Enqueue(*deployment, now);
}

ActionId DeploymentController::Begin(Deployment& deployment, Write write) {
  const ActionId id = next_id_++;
  write.uid = deployment.uid;
  writes_.emplace(id, std::move(write));
  deployment.writes.insert(id);
  return id;
}

void DeploymentController::Finish(const ActionFinished& finished, const Turn& turn) {
  const auto at = writes_.find(finished.id);
  if (at == writes_.end()) return;
  const Write write = std::move(at->second);
  writes_.erase(at);
  Deployment* const deployment = Find(write.uid);
  if (deployment == nullptr) return;
  deployment->writes.erase(finished.id);
  if (finished.status && !write.event.empty()) {
    turn.Do(RecordEvent{deployment->object, EventType::Normal, std::string(write.event_reason),
                        write.event});
  }
  if (write.kind == Write::Kind::Create) {
    FinishCreate(*deployment, write, finished.status, turn);
  } else if (!finished.status) {
    queue_.Retry(deployment->uid, turn.now);
  } else if (write.kind == Write::Kind::Status) {
    deployment->created_set.clear();
    queue_.Forget(deployment->uid);
  }
  if (deployment->writes.empty() && deployment->is_stale) Enqueue(*deployment, turn.now);
}

void DeploymentController::FinishCreate(Deployment& deployment, const Write& write,
                                        const Status& status, const Turn& turn) {
  const auto known = sets_.find({std::string(deployment.metadata().namespace_), write.set_name});
  if (status) {
    deployment.created_set = write.set_name;
    deployment.create_error.reset();
    if (known == sets_.end()) {
      deployment.awaited_set = write.set_name;
      deployment.awaited_until = turn.now + kCreationAwaitMax;
    }
    return;
  }
  if (status.error().reason == Reason::AlreadyExists) {
    const bool is_other = known != sets_.end() &&
                          (ControllerUid(known->second, "Deployment") != deployment.uid ||
                           !SameTemplate(FindAt(deployment.object->tree(), {"spec", "template"}),
                                         FindAt(known->second->tree(), {"spec", "template"})));
    if (is_other) return Collide(deployment, turn);
  } else if (!api::IsNamespaceTerminating(status.error())) {
    deployment.create_error =
        "Failed to create new replica set \"" + write.set_name + "\": " + status.error().Text();
    turn.Do(RecordEvent{deployment.object, EventType::Warning, "ReplicaSetCreateError",
                        *deployment.create_error});
  }
  queue_.Retry(deployment.uid, turn.now);
}

/// Increments collisionCount, because another template has the same hash and name.
void DeploymentController::Collide(Deployment& deployment, const Turn& turn) {
  StatusChange change(*deployment.object);
  change.Int("collisionCount", IntAt(deployment.object->tree(), {"status", "collisionCount"}) + 1);
  turn.Do(PatchObject{.id = Begin(deployment, {.kind = Write::Kind::Other}),
                      .object = deployment.object,
                      .subresource = "status",
                      .body = change.Patch()});
}

/// Adopts orphaned ReplicaSets that match the selector, and releases own ones that do not. Returns
/// true if it wrote something that must be awaited.
bool DeploymentController::Claim(Deployment& deployment, const Turn& turn) {
  bool has_written = false;
  const auto patch = [&](const ObjectPtr& set, std::string text) {
    has_written = true;
    turn.Do(PatchObject{.id = Begin(deployment, {.kind = Write::Kind::Other}),
                        .object = set,
                        .body = std::move(text),
                        .form = PatchForm::StrategicMerge});
  };
  const auto own = sets_of_.find(deployment.uid);
  if (own != sets_of_.end()) {
    for (const Key& key : own->second) {
      const ObjectPtr& set = sets_.at(key);
      if (!deployment.selector.Matches(set->metadata().labels)) {
        patch(set, ReleasePatch(deployment.uid, *set));
      }
    }
  }
  const auto orphans = orphans_.find(deployment.metadata().namespace_);
  if (orphans == orphans_.end()) return has_written;
  for (const std::string& name : orphans->second) {
    const ObjectPtr& set = sets_.at({orphans->first, name});
    if (!set->metadata().deletion_timestamp.empty()) continue;
    if (!deployment.selector.Matches(set->metadata().labels)) continue;
    patch(set, AdoptPatch(*deployment.object, *set));
  }
  return has_written;
}

void DeploymentController::Sync(Deployment& deployment, const Turn& turn) {
  if (deployment.selector.empty()) {
    turn.Do(
        RecordEvent{deployment.object, EventType::Warning, "SelectingAll",
                    "This deployment is selecting all pods. A non-empty selector is required."});
    return;
  }
  if (!deployment.awaited_set.empty()) {
    if (turn.now < deployment.awaited_until) {
      queue_.AddAt(deployment.uid, deployment.awaited_until);
      return;
    }
    deployment.awaited_set.clear();
  }
  const bool is_terminating = !deployment.metadata().deletion_timestamp.empty();
  if (!is_terminating && Claim(deployment, turn)) return;
  Rollout rollout = MakeRollout(deployment, SetsOf(deployment), turn);
  if (is_terminating) return WriteStatus(rollout, /*has_progress=*/false);
  CheckPaused(rollout);
  const bool is_rolling_back = deployment.metadata().annotations.Has(kRollbackTo);
  const bool is_scaling = std::ranges::any_of(rollout.all, [&](const RolloutSet* set) {
    const auto desired = AnnotatedNumber(*set->object, kDesiredReplicas);
    return set->replicas > 0 && desired && *desired != rollout.spec.replicas;
  });
  if (rollout.spec.is_paused) {
    ScaleOnly(rollout);
  } else if (is_rolling_back && RollBack(rollout)) {
    return;
  } else if (is_scaling) {
    ScaleOnly(rollout);
  } else if (rollout.spec.is_rolling) {
    RollOut(rollout);
  } else {
    RollOutRecreate(rollout);
  }
}

}  // namespace plimsoll::controller
