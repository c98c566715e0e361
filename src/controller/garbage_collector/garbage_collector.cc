#include "controller/garbage_collector/garbage_collector.h"

#include <algorithm>
#include <utility>
#include <variant>

#include "base/go_text.h"
#include "controller/limits.h"
#include "controller/workload/deletable_kinds.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

constexpr std::string_view kOrphan = "orphan";
constexpr std::string_view kForeground = "foregroundDeletion";

bool HasFinalizer(const api::ObjectMeta& metadata, std::string_view finalizer) {
  return std::ranges::find(metadata.finalizers, finalizer) != metadata.finalizers.end();
}

bool IsBeingDeleted(const api::ObjectMeta& metadata) {
  return !metadata.deletion_timestamp.empty();
}

bool IsDeletingDependents(const api::ObjectMeta& metadata) {
  return IsBeingDeleted(metadata) && HasFinalizer(metadata, kForeground);
}

/// Returns the owner's kind in any version; null for unknown kinds.
const api::KindDesc* KindOf(const api::OwnerReference& reference) {
  const std::size_t slash = reference.api_version.find('/');
  const std::string_view group =
      slash == std::string_view::npos ? "" : reference.api_version.substr(0, slash);
  const auto kinds = api::AllKinds();
  const auto found = std::ranges::find_if(kinds, [&](const api::KindDesc& kind) {
    return kind.kind == reference.kind && kind.group == group && !kind.plural.empty();
  });
  return found == kinds.end() ? nullptr : &*found;
}

bool IsSame(const api::OwnerReference& a, const api::OwnerReference& b) {
  return a.uid == b.uid && a.name == b.name && a.kind == b.kind && a.api_version == b.api_version &&
         a.controller == b.controller && a.block_owner_deletion == b.block_owner_deletion;
}

/// Compares the fields that the garbage collector uses. Most changes affect others only.
bool IsSame(const api::ObjectMeta& a, const api::ObjectMeta& b) {
  return a.uid == b.uid && a.deletion_timestamp == b.deletion_timestamp &&
         a.finalizers == b.finalizers &&
         std::ranges::equal(a.owner_references, b.owner_references,
                            [](const auto& one, const auto& other) { return IsSame(one, other); });
}

std::string References(const std::vector<const api::OwnerReference*>& references,
                       std::string_view rest) {
  std::string list;
  for (const api::OwnerReference* const reference : references) {
    list += (list.empty() ? "{" : ",{") + std::string(rest) + R"(,"uid":)" +
            GoJsonQuote(reference->uid) + "}";
  }
  return list;
}

}  // namespace

GarbageCollector::GarbageCollector() : watched_(DeletableKinds()) {}

void GarbageCollector::Start() {
  for (const auto& [uid, object] : objects_) {
    if (NeedsProcessing(*object)) queue_.Add(uid);
  }
}

std::optional<Instant> GarbageCollector::NextDue() const {
  // At the limit, the end of a write wakes the controller.
  if (writes_.size() >= kCollectorWritesMax) return std::nullopt;
  return queue_.NextWake();
}

void GarbageCollector::Run(const Turn& turn) {
  while (writes_.size() < kCollectorWritesMax) {
    const std::optional<std::string> uid = queue_.Take(turn.now);
    if (!uid) return;
    if (busy_.contains(*uid)) {
      again_.insert(*uid);
      continue;
    }
    if (const ObjectPtr object = Find(*uid)) Process(object, turn);
  }
  queue_.Finish();
}

ObjectPtr GarbageCollector::Find(std::string_view uid) const {
  const auto at = objects_.find(uid);
  return at == objects_.end() ? nullptr : at->second;
}

void GarbageCollector::Link(const ObjectPtr& object) {
  for (const api::OwnerReference& owner : object->metadata().owner_references) {
    dependents_[std::string(owner.uid)].emplace(object->metadata().uid);
  }
}

void GarbageCollector::Unlink(const ObjectPtr& object) {
  for (const api::OwnerReference& owner : object->metadata().owner_references) {
    const auto at = dependents_.find(owner.uid);
    if (at == dependents_.end()) continue;
    at->second.erase(std::string(object->metadata().uid));
    if (!at->second.empty()) continue;
    if (const auto gone = gone_.find(owner.uid); gone != gone_.end()) gone_.erase(gone);
    if (const auto missing = missing_.find(owner.uid); missing != missing_.end()) {
      missing_.erase(missing);
    }
    dependents_.erase(at);
  }
}

void GarbageCollector::EnqueueDependents(std::string_view uid) {
  const auto at = dependents_.find(uid);
  if (at == dependents_.end()) return;
  for (const std::string& dependent : at->second) queue_.Add(dependent);
}

/// Queues owners that are being deleted: their dependents have changed.
void GarbageCollector::EnqueueOwners(const api::ObjectMeta& metadata) {
  for (const api::OwnerReference& reference : metadata.owner_references) {
    const ObjectPtr owner = Find(reference.uid);
    if (owner != nullptr && IsBeingDeleted(owner->metadata()))
      queue_.Add(std::string(reference.uid));
  }
}

bool GarbageCollector::NeedsProcessing(const api::Object& object) const {
  const api::ObjectMeta& metadata = object.metadata();
  if (IsBeingDeleted(metadata)) {
    return HasFinalizer(metadata, kOrphan) || HasFinalizer(metadata, kForeground);
  }
  return std::ranges::any_of(metadata.owner_references, [&](const api::OwnerReference& reference) {
    const ObjectPtr owner = Find(reference.uid);
    return owner == nullptr || owner->metadata().name != reference.name ||
           owner->kind().kind != reference.kind || IsDeletingDependents(owner->metadata()) ||
           (owner->kind().is_namespaced &&
            owner->metadata().namespace_ != object.metadata().namespace_);
  });
}

void GarbageCollector::OnChange(const ObjectChanged& change, Instant now) {
  const ObjectPtr& before = change.old_object;
  const ObjectPtr& after = change.new_object;
  if (before != nullptr && after != nullptr && IsSame(before->metadata(), after->metadata())) {
    if (const auto known = objects_.find(after->metadata().uid); known != objects_.end()) {
      known->second = after;
      return;
    }
  }
  if (before != nullptr && after != nullptr && before->metadata().uid != after->metadata().uid) {
    OnChange({before, nullptr}, now);
    OnChange({nullptr, after}, now);
    return;
  }
  const std::string uid((after != nullptr ? after : before)->metadata().uid);
  if (before != nullptr) {
    Unlink(before);
    EnqueueOwners(before->metadata());
  }
  if (after == nullptr) {
    objects_.erase(uid);
    again_.erase(uid);
    queue_.Erase(uid);
    if (dependents_.contains(uid)) gone_.insert(uid);
    EnqueueDependents(uid);
    return;
  }
  objects_[uid] = after;
  Link(after);
  if (const auto missing = missing_.find(uid); missing != missing_.end()) missing_.erase(missing);
  if (!is_synced()) return;
  if (NeedsProcessing(*after)) queue_.Add(uid);
  const bool begins = IsDeletingDependents(after->metadata()) &&
                      (before == nullptr || !IsDeletingDependents(before->metadata()));
  if (begins) EnqueueDependents(uid);
  EnqueueOwners(after->metadata());
}

void GarbageCollector::Finish(const ActionFinished& finished, const Turn& turn) {
  const auto write = writes_.find(finished.id);
  if (write == writes_.end()) return;
  const std::string uid = std::move(write->second);
  writes_.erase(write);
  const auto busy = busy_.find(uid);
  if (busy != busy_.end() && --busy->second == 0) {
    busy_.erase(busy);
    if (again_.erase(uid) > 0) queue_.Add(uid);
  }
  const bool is_gone = !finished.status && finished.status.error().reason == Reason::NotFound;
  const ObjectPtr object = Find(uid);
  if (object == nullptr || is_gone) return;
  if (finished.status) return queue_.Forget(uid);
  queue_.Retry(uid, turn.now);
  // The write may have been made on behalf of an owner that is being deleted.
  for (const api::OwnerReference& reference : object->metadata().owner_references) {
    const ObjectPtr owner = Find(reference.uid);
    if (owner != nullptr && IsBeingDeleted(owner->metadata())) {
      queue_.Retry(std::string(reference.uid), turn.now);
    }
  }
}

ActionId GarbageCollector::Begin(const ObjectPtr& object) {
  const ActionId id = next_id_++;
  std::string uid(object->metadata().uid);
  ++busy_[uid];
  writes_.emplace(id, std::move(uid));
  return id;
}

void GarbageCollector::Patch(const ObjectPtr& object, std::string metadata, const Turn& turn) {
  turn.Do(PatchObject{.id = Begin(object),
                      .object = object,
                      .body = R"({"metadata":{"uid":)" + GoJsonQuote(object->metadata().uid) + "," +
                              metadata + "}}",
                      .form = PatchForm::StrategicMerge});
}

void GarbageCollector::RemoveFinalizer(const ObjectPtr& object, std::string_view finalizer,
                                       const Turn& turn) {
  Patch(object, R"("$deleteFromPrimitiveList/finalizers":[)" + GoJsonQuote(finalizer) + "]", turn);
}

void GarbageCollector::Process(const ObjectPtr& object, const Turn& turn) {
  const api::ObjectMeta& metadata = object->metadata();
  if (!IsBeingDeleted(metadata)) return AttemptDelete(object, turn);
  if (HasFinalizer(metadata, kOrphan)) {
    Orphan(object, turn);
  } else if (HasFinalizer(metadata, kForeground)) {
    DeleteDependents(object, turn);
  }
}

/// Removes the owner reference from the dependents, then the owner's orphan finalizer.
void GarbageCollector::Orphan(const ObjectPtr& owner, const Turn& turn) {
  const auto dependents = dependents_.find(owner->metadata().uid);
  if (dependents == dependents_.end()) return RemoveFinalizer(owner, kOrphan, turn);
  for (const std::string& uid : dependents->second) {
    if (busy_.contains(uid)) continue;
    if (writes_.size() >= kCollectorWritesMax)
      return queue_.Add(std::string(owner->metadata().uid));
    const ObjectPtr dependent = Find(uid);
    if (dependent == nullptr) continue;
    Patch(dependent,
          R"("ownerReferences":[{"$patch":"delete","uid":)" + GoJsonQuote(owner->metadata().uid) +
              "}]",
          turn);
  }
}

/// Removes the owner's foreground finalizer once no dependent blocks its deletion.
void GarbageCollector::DeleteDependents(const ObjectPtr& owner, const Turn& turn) {
  const auto dependents = dependents_.find(owner->metadata().uid);
  bool is_blocked = false;
  if (dependents != dependents_.end()) {
    for (const std::string& uid : dependents->second) {
      const ObjectPtr dependent = Find(uid);
      if (dependent == nullptr) continue;
      is_blocked |= std::ranges::any_of(
          dependent->metadata().owner_references, [&](const api::OwnerReference& reference) {
            return reference.uid == owner->metadata().uid && reference.block_owner_deletion == true;
          });
    }
  }
  if (!is_blocked) RemoveFinalizer(owner, kForeground, turn);
}

GarbageCollector::OwnerState GarbageCollector::StateOf(const api::Object& object,
                                                       const api::OwnerReference& reference,
                                                       Instant now) {
  const api::KindDesc* const kind = KindOf(reference);
  if (kind == nullptr) return OwnerState::Foreign;
  // A cluster-scoped object cannot have a namespaced owner.
  if (kind->is_namespaced && object.metadata().namespace_.empty()) return OwnerState::Foreign;
  const ObjectPtr owner = Find(reference.uid);
  if (owner != nullptr) {
    const bool is_meant =
        owner->kind().kind == kind->kind && owner->kind().group == kind->group &&
        owner->metadata().name == reference.name &&
        (!kind->is_namespaced || owner->metadata().namespace_ == object.metadata().namespace_);
    if (!is_meant) return OwnerState::Dangling;
    return IsDeletingDependents(owner->metadata()) ? OwnerState::Waiting : OwnerState::Solid;
  }
  if (gone_.contains(reference.uid)) return OwnerState::Dangling;
  const Instant since = missing_.try_emplace(std::string(reference.uid), now).first->second;
  if (since + kOwnerWait <= now) return OwnerState::Dangling;
  queue_.AddAt(std::string(object.metadata().uid), since + kOwnerWait);
  return OwnerState::Unknown;
}

GarbageCollector::Owners GarbageCollector::Classify(const ObjectPtr& object, const Turn& turn) {
  Owners owners;
  for (const api::OwnerReference& reference : object->metadata().owner_references) {
    const OwnerState state = StateOf(*object, reference, turn.now);
    const ObjectPtr owner = Find(reference.uid);
    if (owner != nullptr && owner->kind().is_namespaced &&
        owner->metadata().namespace_ != object->metadata().namespace_) {
      turn.Do(RecordEvent{
          object, EventType::Warning, "OwnerRefInvalidNamespace",
          "ownerRef [" + std::string(reference.api_version) + "/" + std::string(reference.kind) +
              ", namespace: " + std::string(object->metadata().namespace_) +
              ", name: " + std::string(reference.name) + ", uid: " + std::string(reference.uid) +
              "] does not exist in namespace " + GoQuote(object->metadata().namespace_)});
    }
    switch (state) {
      case OwnerState::Solid:
        owners.solid.push_back(&reference);
        break;
      case OwnerState::Dangling:
        owners.dangling.push_back(&reference);
        break;
      case OwnerState::Waiting:
        owners.waiting.push_back(&reference);
        break;
      case OwnerState::Unknown:
      case OwnerState::Foreign:
        owners.is_undecided = true;
        break;
    }
  }
  return owners;
}

void GarbageCollector::DropReferences(const ObjectPtr& object, const Owners& owners,
                                      const Turn& turn) {
  std::vector<const api::OwnerReference*> dropped = owners.dangling;
  dropped.insert(dropped.end(), owners.waiting.begin(), owners.waiting.end());
  Patch(object, R"("ownerReferences":[)" + References(dropped, R"("$patch":"delete")") + "]", turn);
}

void GarbageCollector::Unblock(const ObjectPtr& object, const Owners& owners, const Turn& turn) {
  std::vector<const api::OwnerReference*> blocking;
  std::ranges::copy_if(owners.waiting, std::back_inserter(blocking), [](const auto* reference) {
    return reference->block_owner_deletion == true;
  });
  if (blocking.empty()) return;
  Patch(object,
        R"("ownerReferences":[)" + References(blocking, R"("blockOwnerDeletion":false)") + "]",
        turn);
}

void GarbageCollector::AttemptDelete(const ObjectPtr& object, const Turn& turn) {
  const api::ObjectMeta& metadata = object->metadata();
  if (metadata.owner_references.empty()) return;
  const Owners owners = Classify(object, turn);
  if (owners.is_undecided) return;
  if (!owners.solid.empty()) {
    if (!owners.dangling.empty() || !owners.waiting.empty()) DropReferences(object, owners, turn);
    return;
  }
  std::string_view policy = "Background";
  const auto dependents = dependents_.find(metadata.uid);
  if (!owners.waiting.empty() && dependents != dependents_.end()) {
    const bool is_circle = std::ranges::any_of(dependents->second, [&](const std::string& uid) {
      const ObjectPtr dependent = Find(uid);
      return dependent != nullptr && IsDeletingDependents(dependent->metadata());
    });
    if (is_circle) Unblock(object, owners, turn);
    policy = "Foreground";
  } else if (HasFinalizer(metadata, kOrphan)) {
    policy = "Orphan";
  } else if (HasFinalizer(metadata, kForeground)) {
    policy = "Foreground";
  }
  turn.Do(DeleteObject{.id = Begin(object), .object = object, .propagation_policy = policy});
}

}  // namespace plimsoll::controller
