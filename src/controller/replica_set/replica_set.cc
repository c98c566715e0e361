#include "controller/replica_set/replica_set.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "base/time_arithmetic.h"
#include "controller/workload/condition.h"
#include "controller/workload/deletion_rank.h"
#include "controller/workload/pod_template.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

constexpr WatchedKind kReplicaSet = {"apps", "v1", "ReplicaSet"};
constexpr WatchedKind kReplicationController = {"", "v1", "ReplicationController"};
constexpr WatchedKind kPod = {"", "v1", "Pod"};

std::string ControllerUid(const ObjectPtr& object) {
  const api::OwnerReference* const owner =
      object == nullptr ? nullptr : ControllerOf(object->metadata());
  return owner == nullptr ? std::string() : std::string(owner->uid);
}

}  // namespace

ReplicaSetController::ReplicaSetController(Flavor flavor)
    : WorkloadController(
          {.kind = flavor == Flavor::ReplicaSet ? api::FindKind("apps", "v1", "ReplicaSet")
                                                : api::FindKind("", "v1", "ReplicationController"),
           .queue_name = flavor == Flavor::ReplicaSet ? "replicaset" : "replicationmanager"}),
      flavor_(flavor) {}

std::string_view ReplicaSetController::name() const {
  return flavor_ == Flavor::ReplicaSet ? "replicaset-controller"
                                       : "replicationcontroller-controller";
}

std::string_view ReplicaSetController::component() const {
  return flavor_ == Flavor::ReplicaSet ? "replicaset-controller" : "replication-controller";
}

std::span<const WatchedKind> ReplicaSetController::watched() const {
  static constexpr std::array kOfReplicaSet = {kReplicaSet, kPod};
  static constexpr std::array kOfReplicationController = {kReplicationController, kPod};
  return flavor_ == Flavor::ReplicaSet ? std::span<const WatchedKind>(kOfReplicaSet)
                                       : kOfReplicationController;
}

Result<api::Selector> ReplicaSetController::SelectorOf(const api::Object& owner) const {
  if (flavor_ == Flavor::ReplicaSet) return WorkloadController::SelectorOf(owner);
  std::vector<api::StringMap::Entry> entries;
  if (const codec::Value* const map = FindAt(owner.tree(), {"spec", "selector"})) {
    for (const codec::Member& member : map->members()) {
      entries.emplace_back(member.key, member.value.text());
    }
  }
  api::LabelSelector selector;
  selector.match_labels = api::StringMap(std::move(entries));
  return selector.empty() ? api::Selector::Nothing() : api::Selector::FromObject(&selector);
}

void ReplicaSetController::OwnerChanged(PodOwner& owner, const ObjectPtr& before, Instant now) {
  const std::string old_parent = ControllerUid(before);
  const std::string parent = ControllerUid(owner.object);
  if (old_parent != parent && !old_parent.empty()) siblings_[old_parent].erase(owner.uid);
  if (!parent.empty()) siblings_[parent].insert(owner.uid);
  const codec::Value* const pod_template = FindAt(owner.tree(), {"spec", "template"});
  owner.pods.Configure(
      SaturatingSeconds(IntAt(owner.tree(), {"spec", "minReadySeconds"})),
      pod_template == nullptr ? OwnedPods::Labels() : TemplateLabels(*pod_template), now);
}

void ReplicaSetController::OwnerGone(const PodOwner& owner) {
  const auto at = siblings_.find(ControllerUid(owner.object));
  if (at == siblings_.end()) return;
  at->second.erase(owner.uid);
  if (at->second.empty()) siblings_.erase(at);
}

void ReplicaSetController::Sync(PodOwner& owner, const Turn& turn) {
  if (!owner.is_terminating() && IsSettled(owner, turn.now)) Scale(owner, turn);
  WriteStatus(owner, turn);
}

void ReplicaSetController::Scale(PodOwner& owner, const Turn& turn) {
  const std::int64_t want = IntAt(owner.tree(), {"spec", "replicas"}, 1);
  const std::int64_t missing = want - owner.pods.counts().active;
  if (missing > 0) {
    ScaleUp(owner, std::min<std::int64_t>(missing, kBurst), turn);
  } else if (missing < 0) {
    ScaleDown(owner, std::min<std::int64_t>(-missing, kBurst), turn);
  } else {
    owner.failure.reset();
    owner.create_wait = {};
  }
}

void ReplicaSetController::ScaleUp(PodOwner& owner, std::int64_t count, const Turn& turn) {
  const codec::Value* const pod_template = FindAt(owner.tree(), {"spec", "template"});
  if (pod_template == nullptr) return;
  const std::string pod = PodFromTemplate(*pod_template, *owner.object,
                                          {.name_prefix = PodNamePrefix(owner.metadata().name)});
  CreatePods(owner, std::vector<std::string>(static_cast<std::size_t>(count), pod), turn);
}

/// Returns the number of active pods of the same Deployment by node.
std::map<std::string_view, std::int64_t> ReplicaSetController::CountRelatedByNode(
    const PodOwner& owner) {
  std::map<std::string_view, std::int64_t> counts;
  const auto add = [&](const PodOwner& one) {
    for (const auto& [name, pod] : one.pods.all()) {
      if (pod.is_active()) ++counts[pod.view().spec.node_name];
    }
  };
  const auto siblings = siblings_.find(ControllerUid(owner.object));
  if (siblings == siblings_.end()) {
    add(owner);
    return counts;
  }
  for (const std::string& uid : siblings->second) {
    if (const PodOwner* const sibling = FindOwner(uid)) add(*sibling);
  }
  return counts;
}

void ReplicaSetController::ScaleDown(PodOwner& owner, std::int64_t count, const Turn& turn) {
  std::vector<RankedPod> pods;
  pods.reserve(owner.pods.all().size());
  for (const auto& [name, pod] : owner.pods.all()) {
    if (pod.is_active()) pods.push_back({&pod, 0});
  }
  // If all pods are deleted, their order does not matter.
  if (IntAt(owner.tree(), {"spec", "replicas"}, 1) > 0) {
    const auto related = CountRelatedByNode(owner);
    for (RankedPod& pod : pods) pod.rank = related.at(pod.pod->view().spec.node_name);
    SortForDeletion(pods, turn.now);
  }
  std::vector<const OwnedPod*> chosen;
  for (std::size_t i = 0; i < static_cast<std::size_t>(count); ++i) chosen.push_back(pods[i].pod);
  DeletePods(owner, chosen, turn);
}

void ReplicaSetController::WriteStatus(PodOwner& owner, const Turn& turn) {
  const PodCounts& counts = owner.pods.counts();
  StatusChange change(*owner.object);
  change.Int("replicas", counts.active)
      .Count("fullyLabeledReplicas", counts.fully_labeled)
      .Count("readyReplicas", counts.ready)
      .Count("availableReplicas", counts.available);
  if (flavor_ == Flavor::ReplicaSet) change.Int("terminatingReplicas", counts.terminating);
  WorkloadConditions conditions(*owner.object);
  const bool has_failure = conditions.Find("ReplicaFailure") != nullptr;
  if (owner.failure && !has_failure) {
    conditions.Set({.type = "ReplicaFailure",
                    .status = "True",
                    .reason = std::string(owner.failure->reason),
                    .message = owner.failure->message,
                    .last_transition_time = FormatTime(turn.now)});
  } else if (!owner.failure && has_failure) {
    conditions.Remove("ReplicaFailure");
  }
  if (conditions.is_changed()) change.Raw("conditions", conditions.Json());
  change.Count("observedGeneration", owner.metadata().generation.value_or(0));
  if (!change.empty()) PatchStatus(owner, change.Patch(), turn);
}

}  // namespace plimsoll::controller
