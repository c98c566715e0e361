#include <algorithm>
#include <utility>

#include "controller/limits.h"
#include "controller/stateful_set/stateful_pod.h"
#include "controller/stateful_set/stateful_set.h"
#include "controller/workload/tree.h"

// Creates, deletes and replaces the pods of a StatefulSet in order.
namespace plimsoll::controller {
namespace {

constexpr std::string_view kRevisionLabel = "controller-revision-hash";

bool IsRunningAndReady(const OwnedPod& pod) {
  return pod.phase == PodPhase::Running && pod.is_ready;
}

}  // namespace

bool StatefulSetController::IsLeaving(const Look& look, const OwnedPod& pod) {
  return pod.is_terminating || look.stateful.deleting.contains(pod.metadata().name);
}

bool StatefulSetController::IsUpdated(const Look& look, const OwnedPod& pod) {
  return pod.metadata().labels.Find(kRevisionLabel) == look.update->metadata().name;
}

void StatefulSetController::SortPods(Look& look) {
  look.pods.assign(static_cast<std::size_t>(std::max<std::int64_t>(0, look.replicas)), nullptr);
  std::vector<std::pair<std::int64_t, const OwnedPod*>> condemned;
  for (const auto& [name, pod] : look.owner.pods.all()) {
    const auto ordinal = PodOrdinal(look.owner.metadata().name, name);
    if (!ordinal) continue;
    if (*ordinal >= look.start && *ordinal < look.start + look.replicas) {
      look.pods[static_cast<std::size_t>(*ordinal - look.start)] = &pod;
    } else {
      condemned.emplace_back(*ordinal, &pod);
    }
  }
  std::ranges::sort(condemned, std::greater(), &std::pair<std::int64_t, const OwnedPod*>::first);
  for (const auto& [ordinal, pod] : condemned) look.condemned.push_back(pod);
  for (const std::vector<const OwnedPod*>* const list : {&look.pods, &look.condemned}) {
    for (const OwnedPod* const pod : *list) {
      if (look.first_unhealthy != nullptr) return;
      if (pod == nullptr) continue;
      if (!IsRunningAndReady(*pod) || IsLeaving(look, *pod)) look.first_unhealthy = pod;
    }
  }
}

void StatefulSetController::Manage(Look& look) {
  for (std::int64_t i = 0; i < look.replicas; ++i) {
    if (ManageReplica(look, look.start + i) && look.is_ordered) return;
  }
  for (const OwnedPod* const pod : look.condemned) {
    if (ManageCondemned(look, *pod) && look.is_ordered) return;
  }
  RollOut(look);
}

bool StatefulSetController::ManageReplica(Look& look, std::int64_t ordinal) {
  const OwnedPod* const pod = look.pods[static_cast<std::size_t>(ordinal - look.start)];
  if (pod == nullptr) {
    Create(look, ordinal);
    return true;
  }
  if (pod->is_finished()) {
    // The replacement is created when this pod is gone.
    if (!IsLeaving(look, *pod)) Delete(look, *pod);
    return true;
  }
  if (pod->phase == PodPhase::Pending && !IsLeaving(look, *pod)) {
    CreateClaims(look, ordinal, std::string(pod->metadata().name));
  }
  return IsLeaving(look, *pod) || !IsRunningAndReady(*pod) ||
         !pod->is_available(look.owner.pods.min_ready(), look.turn.now);
}

bool StatefulSetController::ManageCondemned(Look& look, const OwnedPod& pod) {
  if (IsLeaving(look, pod)) return true;
  const bool is_well =
      IsRunningAndReady(pod) && pod.is_available(look.owner.pods.min_ready(), look.turn.now);
  // An unhealthy pod is deleted only if it is the first unhealthy one.
  if (look.is_ordered && !is_well && &pod != look.first_unhealthy) return true;
  Delete(look, pod);
  return true;
}

/// Deletes the highest ordinal that has an old revision. The next one follows when the new pod is
/// healthy, or within maxUnavailable.
void StatefulSetController::RollOut(Look& look) {
  const codec::Value& tree = look.owner.tree();
  if (TextAt(tree, {"spec", "updateStrategy", "type"}) == "OnDelete") return;
  const std::int64_t partition =
      IntAt(tree, {"spec", "updateStrategy", "rollingUpdate", "partition"});
  const codec::Value* const limit =
      FindAt(tree, {"spec", "updateStrategy", "rollingUpdate", "maxUnavailable"});
  const auto is_healthy = [&](const OwnedPod* pod) {
    return pod != nullptr && IsRunningAndReady(*pod) && !IsLeaving(look, *pod);
  };
  // A missing pod is created with the right revision later.
  const auto is_old = [&](const OwnedPod* pod) {
    return pod != nullptr && !IsUpdated(look, *pod) && !IsLeaving(look, *pod);
  };
  if (limit == nullptr || limit->is_null()) {
    for (std::int64_t i = look.replicas - 1; i >= partition; --i) {
      const OwnedPod* const pod = look.pods[static_cast<std::size_t>(i)];
      if (is_old(pod)) return Delete(look, *pod);
      if (!is_healthy(pod)) return;
    }
    return;
  }
  std::int64_t room = std::max<std::int64_t>(
      1, ScaledAt(tree, {"spec", "updateStrategy", "rollingUpdate", "maxUnavailable"},
                  look.replicas, Rounding::Up, 1));
  for (const OwnedPod* const pod : look.pods) room -= is_healthy(pod) ? 0 : 1;
  for (std::int64_t i = look.replicas - 1; i >= partition && room > 0; --i) {
    const OwnedPod* const pod = look.pods[static_cast<std::size_t>(i)];
    if (!is_old(pod)) continue;
    Delete(look, *pod);
    --room;
  }
}

/// Creates missing claims. Returns false if one does not exist yet.
bool StatefulSetController::CreateClaims(Look& look, std::int64_t ordinal,
                                         const std::string& pod_name) {
  const std::string space(look.owner.metadata().namespace_);
  bool has_all = true;
  for (StatefulClaim& claim : ClaimsOf(*look.owner.object, ordinal)) {
    const auto known = claims_.find({space, claim.name});
    if (known != claims_.end()) {
      look.stateful.claimed.erase(claim.name);
      has_all = has_all && known->second->metadata().deletion_timestamp.empty();
      continue;
    }
    if (look.stateful.claimed.contains(claim.name)) continue;
    has_all = false;
    if (!look.stateful.claiming.insert(claim.name).second) continue;
    const ActionId id = Begin(look.owner);
    pod_writes_[id] = {WriteKind::CreateClaim, pod_name, claim.name};
    look.turn.Do(CreateObject{
        .id = id, .object = api::ObjectRef(*claim_kind_, space), .body = std::move(claim.json)});
  }
  return has_all;
}

/// Returns how many of the first ordinals keep the old revision: those below the partition. Without
/// a rollingUpdate field, those that still have it.
std::int64_t StatefulSetController::CountKept(const Look& look) {
  const codec::Value& tree = look.owner.tree();
  if (TextAt(tree, {"spec", "updateStrategy", "type"}) == "OnDelete") return 0;
  const codec::Value* const rolling = FindAt(tree, {"spec", "updateStrategy", "rollingUpdate"});
  if (rolling != nullptr && rolling->is_object()) return IntAt(*rolling, {"partition"});
  return std::ranges::count_if(look.owner.pods.all(), [&](const auto& entry) {
    const OwnedPod& pod = entry.second;
    return !IsLeaving(look, pod) &&
           pod.metadata().labels.Find(kRevisionLabel) == look.current->metadata().name;
  });
}

void StatefulSetController::Create(Look& look, std::int64_t ordinal) {
  std::string pod_name = StatefulPodName(look.owner.metadata().name, ordinal);
  const auto awaited = look.stateful.creating.find(pod_name);
  if (awaited != look.stateful.creating.end()) {
    if (look.turn.now < awaited->second) return EnqueueAt(look.owner, awaited->second);
    look.stateful.creating.erase(awaited);
  }
  if (!CreateClaims(look, ordinal, pod_name)) return;
  const bool is_old = look.current != look.update && ordinal < look.start + CountKept(look);
  const api::Object& revision = is_old ? *look.current : *look.update;
  const codec::Value* const pod_template = RevisionTemplate(revision);
  if (pod_template == nullptr) return;
  const ActionId id = Begin(look.owner);
  pod_writes_[id] = {WriteKind::CreatePod, pod_name, {}};
  look.stateful.creating[std::move(pod_name)] = look.turn.now + kCreationAwaitMax;
  look.turn.Do(CreateObject{
      .id = id,
      .object = api::ObjectRef(*pod_kind_, look.owner.metadata().namespace_),
      .body = StatefulPod(*look.owner.object, *pod_template, revision.metadata().name, ordinal)});
}

void StatefulSetController::Delete(Look& look, const OwnedPod& pod) {
  const ActionId id = Begin(look.owner);
  const std::string name(pod.metadata().name);
  pod_writes_[id] = {WriteKind::DeletePod, name, {}};
  look.stateful.deleting.insert(name);
  look.turn.Do(DeleteObject{.id = id, .object = pod.object});
}

void StatefulSetController::WriteStatus(Look& look) {
  std::int64_t total = 0;
  std::int64_t ready = 0;
  std::int64_t available = 0;
  std::int64_t current = 0;
  std::int64_t updated = 0;
  std::string_view current_name = look.current->metadata().name;
  const std::string_view update_name = look.update->metadata().name;
  for (const auto& [name, pod] : look.owner.pods.all()) {
    ++total;
    if (IsRunningAndReady(pod)) {
      ++ready;
      available += pod.is_available(look.owner.pods.min_ready(), look.turn.now) ? 1 : 0;
    }
    if (pod.is_terminating) continue;
    const auto revision = pod.metadata().labels.Find(kRevisionLabel);
    current += revision == current_name ? 1 : 0;
    updated += revision == update_name ? 1 : 0;
  }
  const bool is_rolling =
      TextAt(look.owner.tree(), {"spec", "updateStrategy", "type"}) != "OnDelete";
  if (is_rolling && updated == look.replicas && ready == look.replicas && total == look.replicas) {
    current = updated;
    current_name = update_name;
  }
  StatusChange change(*look.owner.object);
  change.Count("observedGeneration", look.owner.metadata().generation.value_or(0))
      .Int("replicas", total)
      .Count("readyReplicas", ready)
      .Count("currentReplicas", current)
      .Count("updatedReplicas", updated)
      .Text("currentRevision", current_name)
      .Text("updateRevision", update_name)
      .Int("collisionCount", IntAt(look.owner.tree(), {"status", "collisionCount"}))
      .Int("availableReplicas", available);
  if (!change.empty()) PatchStatus(look.owner, change.Patch(), look.turn);
}

}  // namespace plimsoll::controller
