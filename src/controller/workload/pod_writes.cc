#include <algorithm>
#include <iterator>
#include <utility>

#include "base/assert.h"
#include "controller/limits.h"
#include "controller/workload/pod_template.h"
#include "controller/workload/tree.h"
#include "controller/workload/workload_controller.h"

// Actions of WorkloadController, and the handling of their outcomes.
namespace plimsoll::controller {
namespace {

constexpr std::string_view kFailedCreate = "FailedCreate";

constexpr Duration kCreateWaitMin = std::chrono::milliseconds(5);
/// Maximum wait for the watch event of a status write. After it, the write changed nothing.
constexpr Duration kNewsMax = std::chrono::seconds(1);

/// The owner will be deleted with its namespace: no event, no retry.

}  // namespace

ActionId WorkloadController::BeginWrite(const PodOwner& owner, WriteKind kind, ObjectPtr object) {
  const ActionId id = next_id_++;
  writes_.emplace(id, Write{kind, owner.uid, std::move(object)});
  return id;
}

ActionId WorkloadController::Begin(const PodOwner& owner) {
  return BeginWrite(owner, WriteKind::Other, nullptr);
}

void WorkloadController::Record(const ObjectPtr& about, EventType type, std::string_view reason,
                                std::string message, const Turn& turn) {
  turn.Do(RecordEvent{about, type, std::string(reason), std::move(message)});
}

/// Adopts orphans that match the selector, and releases own pods that do not.
void WorkloadController::Claim(PodOwner& owner, const Turn& turn) {
  const auto patch = [&](const ObjectPtr& pod, std::string text) {
    turn.Do(PatchObject{.id = BeginWrite(owner, WriteKind::Claim, pod),
                        .object = pod,
                        .body = std::move(text),
                        .form = PatchForm::StrategicMerge});
  };
  for (const std::string& name : std::exchange(owner.strays, {})) {
    if (const OwnedPod* const pod = owner.pods.Find(name)) {
      patch(pod->object, ReleasePatch(owner.uid, *pod->object, options_.pod_finalizer));
    }
  }
  if (owner.is_terminating()) return;
  const auto orphans = orphans_.find(owner.metadata().namespace_);
  for (const std::string& name : std::exchange(owner.adoptable, {})) {
    if (orphans == orphans_.end()) break;
    const auto pod = orphans->second.find(name);
    if (pod == orphans->second.end()) continue;
    patch(pod->second, AdoptPatch(*owner.object, *pod->second, options_.pod_finalizer));
  }
}

bool WorkloadController::IsSettled(PodOwner& owner, Instant now) {
  if (!owner.creation.is_over()) return false;
  if (!owner.expectations.is_satisfied(now)) {
    queue_.AddAt(owner.uid, owner.expectations.timeout());
    return false;
  }
  owner.expectations.Reset();
  if (owner.create_after > now) {
    queue_.AddAt(owner.uid, owner.create_after);
    return false;
  }
  return true;
}

void WorkloadController::CreatePods(PodOwner& owner, std::vector<std::string> pods,
                                    const Turn& turn) {
  PL_ASSERT(owner.creation.is_over());
  if (pods.empty()) return;
  owner.expectations.ExpectCreations(pods.size(), turn.now);
  owner.creation = {};
  owner.creation.pods.assign(std::move_iterator(pods.begin()), std::move_iterator(pods.end()));
  CreateBatch(owner, turn);
}

void WorkloadController::CreateBatch(PodOwner& owner, const Turn& turn) {
  CreationRound& round = owner.creation;
  const std::size_t count = std::min(round.batch, round.pods.size());
  for (std::size_t i = 0; i < count; ++i) {
    turn.Do(CreateObject{.id = BeginWrite(owner, WriteKind::CreatePod, nullptr),
                         .object = api::ObjectRef(*pod_kind_, owner.metadata().namespace_),
                         .body = std::move(round.pods.front())});
    round.pods.pop_front();
  }
  round.outstanding = count;
  round.batch *= 2;
}

void WorkloadController::DeletePods(PodOwner& owner, const std::vector<const OwnedPod*>& pods,
                                    const Turn& turn) {
  for (const OwnedPod* const pod : pods) {
    owner.expectations.ExpectDeletion(pod->metadata().uid, turn.now);
    turn.Do(DeleteObject{.id = BeginWrite(owner, WriteKind::DeletePod, pod->object),
                         .object = pod->object});
  }
}

bool WorkloadController::IsStatusPending(PodOwner& owner) {
  if (owner.status_write != 0) {
    owner.is_stale = true;
    return true;
  }
  if (owner.written_version != owner.metadata().resource_version ||
      owner.last_sync >= owner.written_until) {
    return false;
  }
  queue_.AddAt(owner.uid, owner.written_until);
  return true;
}

void WorkloadController::PatchStatus(PodOwner& owner, const std::string& patch, const Turn& turn) {
  if (patch.empty() || IsStatusPending(owner)) return;
  owner.status_write = BeginWrite(owner, WriteKind::Status, owner.object);
  owner.is_stale = false;
  owner.written_version.clear();
  turn.Do(PatchObject{
      .id = owner.status_write, .object = owner.object, .subresource = "status", .body = patch});
}

void WorkloadController::Finish(const ActionFinished& finished, const Turn& turn) {
  const auto at = writes_.find(finished.id);
  if (at == writes_.end()) return;
  const Write write = std::move(at->second);
  writes_.erase(at);
  PodOwner* const owner = FindOwner(write.owner_uid);
  if (owner == nullptr) return;
  if (owner->object == nullptr) {
    if (!options_.pod_finalizer.empty()) {
      WriteFinished(*owner, finished.id, finished.status, turn);
    }
    return;
  }
  switch (write.kind) {
    case WriteKind::CreatePod:
      return FinishCreation(*owner, finished.status, turn);
    case WriteKind::DeletePod:
      return FinishDeletion(*owner, write, finished.status, turn);
    case WriteKind::Claim:
      return FinishClaim(*owner, write, finished.status, turn.now);
    case WriteKind::Status:
      return FinishStatus(*owner, write, finished.status, turn.now);
    case WriteKind::Other:
      return WriteFinished(*owner, finished.id, finished.status, turn);
  }
}

void WorkloadController::BackOff(PodOwner& owner, Instant now) {
  owner.create_wait = owner.create_wait == Duration::zero()
                          ? kCreateWaitMin
                          : std::min(owner.create_wait * 2, kCreateWaitMax);
  owner.create_after = now + owner.create_wait;
  queue_.AddAt(owner.uid, owner.create_after);
  Enqueue(owner, now);  // to write the failure to the status
}

void WorkloadController::FinishCreation(PodOwner& owner, const Status& status, const Turn& turn) {
  CreationRound& round = owner.creation;
  if (round.outstanding > 0) --round.outstanding;
  if (!status) {
    // Neither this pod nor the ones not yet requested will be created.
    for (std::size_t i = 0; i <= round.pods.size(); ++i) owner.expectations.CreationObserved();
    round.pods.clear();
    if (!api::IsNamespaceTerminating(status.error())) {
      owner.failure = PodFailure{kFailedCreate, status.error().Text()};
      Record(owner.object, EventType::Warning, kFailedCreate,
             "Error creating: " + owner.failure->message, turn);
    }
    if (round.outstanding == 0) BackOff(owner, turn.now);
    return;
  }
  if (round.outstanding > 0) return;
  if (!round.pods.empty()) return CreateBatch(owner, turn);
  if (owner.failure && owner.failure->reason == kFailedCreate) owner.failure.reset();
  owner.create_wait = {};
  Enqueue(owner, turn.now);
}

void WorkloadController::FinishDeletion(PodOwner& owner, const Write& write, const Status& status,
                                        const Turn& turn) {
  const api::ObjectMeta& pod = write.object->metadata();
  if (status) {
    Record(owner.object, EventType::Normal, "SuccessfulDelete",
           "Deleted pod: " + std::string(pod.name), turn);
    return;
  }
  owner.expectations.DeletionObserved(pod.uid);
  owner.failure = PodFailure{"FailedDelete", status.error().Text()};
  Record(owner.object, EventType::Warning, "FailedDelete",
         "Error deleting: " + owner.failure->message, turn);
  BackOff(owner, turn.now);
}

void WorkloadController::FinishClaim(PodOwner& owner, const Write& write, const Status& status,
                                     Instant now) {
  if (status) return;
  const Reason reason = status.error().reason;
  // The pod is gone or replaced. Invalid means that it was already released.
  if (reason == Reason::NotFound || reason == Reason::Conflict || reason == Reason::Invalid) return;
  const std::string name(write.object->metadata().name);
  const auto orphans = orphans_.find(owner.metadata().namespace_);
  if (orphans != orphans_.end() && orphans->second.contains(name)) {
    owner.adoptable.insert(name);
  } else if (owner.pods.Find(name) != nullptr) {
    owner.strays.insert(name);
  }
  queue_.Retry(owner.uid, now);
}

void WorkloadController::FinishStatus(PodOwner& owner, const Write& write, const Status& status,
                                      Instant now) {
  owner.status_write = 0;
  if (status) {
    owner.written_version = write.object->metadata().resource_version;
    owner.written_until = now + kNewsMax;
  }
  if (!status) {
    queue_.Retry(owner.uid, now);
  } else {
    queue_.Forget(owner.uid);
    if (owner.is_stale) Enqueue(owner, now);
  }
}

void WorkloadController::FinishRevision(PodOwner& owner, PendingRevision& revision,
                                        const RevisionHistory& history, const Status& status,
                                        const Turn& turn) {
  revision.write = 0;
  const ObjectPtr known = history.Find(owner.metadata().namespace_, revision.name);
  if (status) {
    if (known != nullptr) revision.name.clear();
    Enqueue(owner, turn.now);
    return;
  }
  const std::string name = std::exchange(revision.name, {});
  const RevisionFault fault = JudgeRevision(history, *owner.object, name, status.error());
  if (fault == RevisionFault::Orphan) {
    turn.Do(PatchObject{.id = Begin(owner),
                        .object = known,
                        .body = AdoptPatch(*owner.object, *known),
                        .form = PatchForm::StrategicMerge});
  } else if (fault == RevisionFault::Collide) {
    StatusChange change(*owner.object);
    change.Int("collisionCount", IntAt(owner.tree(), {"status", "collisionCount"}) + 1);
    PatchStatus(owner, change.Patch(), turn);
  }
  RetryLater(owner, turn.now);
}

}  // namespace plimsoll::controller
