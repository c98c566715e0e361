#include "controller/workload/workload_controller.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/assert.h"
#include "base/overloaded.h"
#include "controller/workload/pod_template.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
WorkloadController::WorkloadController(const Options& options)
    : options_(options), pod_kind_(api::FindKind("", "v1", "Pod")) {
  PL_ASSERT(options_.kind != nullptr && pod_kind_ != nullptr);
}

void WorkloadController::Observe(const CoreInput& event, const Turn& turn) {
  std::visit(Overloaded{[&](const ObjectChanged& change) {
                          const ObjectPtr& any =
                              change.new_object ? change.new_object : change.old_object;
                          if (&any->kind() == pod_kind_) {
                            OnPodChange(change.old_object, change.new_object, turn);
                          } else if (&any->kind() == options_.kind) {
                            OnOwnerChange(change.old_object, change.new_object, turn.now);
                          } else {
                            OnOtherChange(change, turn.now);
                          }
                        },
                        [&](const ActionFinished& finished) { Finish(finished, turn); },
                        [&](const Synced&) { is_synced_ = true; }},
             event);
  Run(turn);
}

void WorkloadController::Wake(const Turn& turn) { Run(turn); }

void WorkloadController::Run(const Turn& turn) {
  if (!is_synced_) return;
  while (const std::optional<std::string> uid = queue_.Take(turn.now)) {
    PodOwner* const owner = FindOwner(*uid);
    if (owner == nullptr) continue;
    if (owner->object == nullptr) {
      SyncOrphaned(*owner, turn);
      continue;
    }
    owner->last_sync = turn.now;
    owner->pods.Advance(turn.now);
    Claim(*owner, turn);
    Sync(*owner, turn);
    if (const auto next = owner->pods.NextAvailable()) queue_.AddAt(*uid, *next);
  }
}

Result<api::Selector> WorkloadController::SelectorOf(const api::Object& owner) const {
  const auto* const view = owner.As<api::Workload>();
  PL_ASSERT(view != nullptr);
  return api::Selector::FromObject(view->selector ? &*view->selector : nullptr);
}

void WorkloadController::OnOtherChange(const ObjectChanged& /*change*/, Instant /*now*/) {}
void WorkloadController::OwnerChanged(PodOwner& /*owner*/, const ObjectPtr& /*before*/,
                                      Instant /*now*/) {}
void WorkloadController::OwnerGone(const PodOwner& /*owner*/) {}
void WorkloadController::SyncOrphaned(PodOwner& /*owner*/, const Turn& /*turn*/) {}
void WorkloadController::PodChanged(PodOwner& /*owner*/, const ObjectPtr& /*before*/,
                                    const ObjectPtr& /*after*/, Instant /*now*/) {}
bool WorkloadController::MayAdopt(const PodOwner& /*owner*/, const api::Object& /*pod*/) const {
  return true;
}
void WorkloadController::WriteFinished(PodOwner& owner, ActionId /*id*/, const Status& status,
                                       const Turn& turn) {
  if (!status) RetryLater(owner, turn.now);
}

void WorkloadController::Enqueue(PodOwner& owner, Instant now) {
  const Duration pause =
      kPause + options_.pause_per_pod * static_cast<std::int64_t>(owner.pods.all().size());
  const Instant next = owner.last_sync == Instant::min() ? now : owner.last_sync + pause;
  queue_.AddAt(owner.uid, std::max(now, next));
}

void WorkloadController::EnqueueAll(Instant now) {
  for (auto& [uid, owner] : owners_) {
    if (owner.object != nullptr) Enqueue(owner, now);
  }
}

PodOwner* WorkloadController::FindOwner(std::string_view uid) {
  const auto at = owners_.find(uid);
  return at == owners_.end() ? nullptr : &at->second;
}

void WorkloadController::ForgetIfEmpty(const std::string& uid) {
  const auto at = owners_.find(uid);
  if (at == owners_.end() || at->second.object != nullptr) return;
  if (at->second.pods.all().empty()) owners_.erase(at);
}

void WorkloadController::OnOwnerChange(const ObjectPtr& before, const ObjectPtr& after,
                                       Instant now) {
  if (before != nullptr && (after == nullptr || after->metadata().uid != before->metadata().uid)) {
    const std::string uid(before->metadata().uid);
    uids_by_namespace_[std::string(before->metadata().namespace_)].erase(uid);
    queue_.Erase(uid);
    if (PodOwner* const owner = FindOwner(uid)) {
      OwnerGone(*owner);
      PodOwner rest{.uid = uid};
      rest.pods = std::move(owner->pods);
      *owner = std::move(rest);
      if (!options_.pod_finalizer.empty()) queue_.AddAt(uid, now);
      ForgetIfEmpty(uid);
    }
  }
  if (after == nullptr) return;
  PodOwner& owner = owners_[std::string(after->metadata().uid)];
  const ObjectPtr known = std::exchange(owner.object, after);
  owner.uid = after->metadata().uid;
  uids_by_namespace_[std::string(after->metadata().namespace_)].insert(owner.uid);
  if (known == nullptr || known->metadata().generation != after->metadata().generation ||
      !after->metadata().generation) {
    Result<api::Selector> selector = SelectorOf(*after);
    owner.selector = selector ? std::move(*selector) : api::Selector::Nothing();
    // The new spec may be valid: reset the back-off.
    owner.create_wait = {};
    owner.create_after = Instant::min();
    FindStraysAndOrphans(owner);
  }
  OwnerChanged(owner, known, now);
  Enqueue(owner, now);
}

/// Finds own pods to release and orphans to adopt, after a change of the selector.
void WorkloadController::FindStraysAndOrphans(PodOwner& owner) {
  owner.strays.clear();
  owner.adoptable.clear();
  for (const auto& [name, pod] : owner.pods.all()) {
    if (!pod.is_terminating && !owner.selector.Matches(pod.metadata().labels)) {
      owner.strays.insert(name);
    }
  }
  const auto orphans = orphans_.find(owner.metadata().namespace_);
  if (orphans == orphans_.end() || owner.selector.empty()) return;
  for (const auto& [name, pod] : orphans->second) {
    if (owner.selector.Matches(pod->metadata().labels) && MayAdopt(owner, *pod)) {
      owner.adoptable.insert(name);
    }
  }
}

/// Returns the pod's owner; adds one without object if unknown. Null for pods of other kinds.
PodOwner* WorkloadController::OwnerOfPod(const ObjectPtr& pod) {
  if (pod == nullptr) return nullptr;
  const api::OwnerReference* const reference = ControllerOf(pod->metadata());
  if (reference == nullptr || reference->kind != options_.kind->kind) return nullptr;
  const std::string_view version = reference->api_version;
  const std::string_view group = version.substr(0, version.find('/'));
  if (options_.kind->group.empty() ? version.contains('/') : group != options_.kind->group) {
    return nullptr;
  }
  PodOwner& owner = owners_[std::string(reference->uid)];
  if (owner.uid.empty()) owner.uid = reference->uid;
  return &owner;
}

void WorkloadController::OnPodChange(const ObjectPtr& before, const ObjectPtr& after,
                                     const Turn& turn) {
  if (before != nullptr && after != nullptr && before->metadata().uid != after->metadata().uid) {
    OnPodChange(before, nullptr, turn);
    OnPodChange(nullptr, after, turn);
    return;
  }
  OnOrphanChange(before, after, turn.now);
  PodOwner* const old_owner = OwnerOfPod(before);
  PodOwner* const new_owner = OwnerOfPod(after);
  if (old_owner != nullptr && old_owner != new_owner) {
    const std::string uid = old_owner->uid;
    OnOwnedPodChange(*old_owner, before, nullptr, turn);
    ForgetIfEmpty(uid);
  }
  if (new_owner != nullptr) {
    OnOwnedPodChange(*new_owner, old_owner == new_owner ? before : nullptr, after, turn);
  }
}

void WorkloadController::OnOrphanChange(const ObjectPtr& before, const ObjectPtr& after,
                                        Instant now) {
  const bool was_orphan = before != nullptr && ControllerOf(before->metadata()) == nullptr;
  const bool is_orphan =
      after != nullptr && ControllerOf(after->metadata()) == nullptr && ReadPod(after).is_active();
  if (!was_orphan && !is_orphan) return;
  const api::ObjectMeta& metadata = (after != nullptr ? after : before)->metadata();
  const std::string name(metadata.name);
  if (!is_orphan) {
    const auto at = orphans_.find(metadata.namespace_);
    if (at == orphans_.end()) return;
    at->second.erase(name);
    if (at->second.empty()) orphans_.erase(at);
    return;
  }
  ObjectPtr& known = orphans_[std::string(metadata.namespace_)][name];
  const bool is_other = known == nullptr || known->metadata().labels != metadata.labels;
  known = after;
  if (!is_other) return;  // matching owners have it already
  const auto uids = uids_by_namespace_.find(metadata.namespace_);
  if (uids == uids_by_namespace_.end()) return;
  for (const std::string& uid : uids->second) {
    PodOwner& owner = *FindOwner(uid);
    if (owner.selector.empty() || !owner.selector.Matches(metadata.labels)) continue;
    if (!MayAdopt(owner, *after)) continue;
    owner.adoptable.insert(name);
    Enqueue(owner, now);
  }
}

void WorkloadController::OnOwnedPodChange(PodOwner& owner, const ObjectPtr& before,
                                          const ObjectPtr& after, const Turn& turn) {
  const api::ObjectMeta& metadata = (after != nullptr ? after : before)->metadata();
  const bool is_terminating = after != nullptr && !metadata.deletion_timestamp.empty();
  if (after == nullptr || is_terminating) owner.expectations.DeletionObserved(metadata.uid);
  const auto stray = owner.strays.find(metadata.name);
  if (stray != owner.strays.end()) owner.strays.erase(stray);
  if (after == nullptr) {
    owner.pods.Erase(metadata.name);
  } else {
    if (before == nullptr && !is_terminating && owner.expectations.CreationObserved()) {
      Record(owner.object, EventType::Normal, "SuccessfulCreate",
             "Created pod: " + std::string(metadata.name), turn);
    }
    owner.pods.Put(after, turn.now);
    if (owner.object != nullptr && !is_terminating && !owner.selector.Matches(metadata.labels)) {
      owner.strays.emplace(metadata.name);
    }
  }
  if (owner.object == nullptr) {
    if (!options_.pod_finalizer.empty()) queue_.AddAt(owner.uid, turn.now);
    return;
  }
  PodChanged(owner, before, after, turn.now);
  Enqueue(owner, turn.now);
}

}  // namespace plimsoll::controller
