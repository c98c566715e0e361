#include "controller/stateful_set/stateful_set.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "base/assert.h"
#include "base/time_arithmetic.h"
#include "controller/stateful_set/stateful_pod.h"
#include "controller/workload/pod_template.h"
#include "controller/workload/tree.h"

namespace plimsoll::controller {
namespace {

constexpr std::string_view kHashLabel = "controller.kubernetes.io/hash";
constexpr std::string_view kRevisionLabel = "controller-revision-hash";

}  // namespace

StatefulSetController::StatefulSetController()
    : WorkloadController({.kind = api::FindKind("apps", "v1", "StatefulSet"),
                          .queue_name = "statefulset",
                          .pause_per_pod = std::chrono::microseconds(20)}),
      revision_kind_(api::FindKind("apps", "v1", "ControllerRevision")),
      claim_kind_(api::FindKind("", "v1", "PersistentVolumeClaim")),
      pod_kind_(api::FindKind("", "v1", "Pod")) {
  PL_ASSERT(revision_kind_ != nullptr && claim_kind_ != nullptr);
}

std::span<const WatchedKind> StatefulSetController::watched() const {
  static constexpr std::array kWatched = {
      WatchedKind{"apps", "v1", "StatefulSet"}, WatchedKind{"apps", "v1", "ControllerRevision"},
      WatchedKind{"", "v1", "Pod"}, WatchedKind{"", "v1", "PersistentVolumeClaim"}};
  return kWatched;
}

bool StatefulSetController::MayAdopt(const PodOwner& owner, const api::Object& pod) const {
  return PodOrdinal(owner.metadata().name, pod.metadata().name).has_value();
}

void StatefulSetController::OnOtherChange(const ObjectChanged& change, Instant now) {
  const ObjectPtr& any = change.new_object ? change.new_object : change.old_object;
  const api::ObjectMeta& metadata = any->metadata();
  if (&any->kind() == claim_kind_) {
    const std::pair key(std::string(metadata.namespace_), std::string(metadata.name));
    if (change.new_object == nullptr) {
      claims_.erase(key);
    } else {
      claims_[key] = change.new_object;
    }
    return;
  }
  if (&any->kind() != revision_kind_) return;
  const auto [old_owner, new_owner] = history_.OnChange(change);
  for (const std::string& uid : {old_owner, new_owner}) {
    PodOwner* const owner = FindOwner(uid);
    if (owner == nullptr || owner->object == nullptr) continue;
    Stateful& stateful = statefuls_[uid];
    if (stateful.revision.name == metadata.name) stateful.revision.name.clear();
    Enqueue(*owner, now);
  }
}

void StatefulSetController::OwnerChanged(PodOwner& owner, const ObjectPtr& /*before*/,
                                         Instant now) {
  owner.pods.Configure(SaturatingSeconds(IntAt(owner.tree(), {"spec", "minReadySeconds"})), {},
                       now);
}

void StatefulSetController::OwnerGone(const PodOwner& owner) { statefuls_.erase(owner.uid); }

void StatefulSetController::PodChanged(PodOwner& owner, const ObjectPtr& before,
                                       const ObjectPtr& after, Instant /*now*/) {
  Stateful& stateful = statefuls_[owner.uid];
  const std::string name((after != nullptr ? after : before)->metadata().name);
  if (after != nullptr) stateful.creating.erase(name);
  if (after == nullptr || !after->metadata().deletion_timestamp.empty()) {
    stateful.deleting.erase(name);
  }
}

void StatefulSetController::WriteFinished(PodOwner& owner, ActionId id, const Status& status,
                                          const Turn& turn) {
  Stateful& stateful = statefuls_[owner.uid];
  const auto at = pod_writes_.find(id);
  if (at != pod_writes_.end()) {
    const Write write = std::move(at->second);
    pod_writes_.erase(at);
    FinishPod(owner, stateful, write, status, turn);
  } else if (id == stateful.revision.write) {
    FinishRevision(owner, stateful.revision, history_, status, turn);
  } else if (!status) {
    RetryLater(owner, turn.now);
  }
}

void StatefulSetController::FinishPod(PodOwner& owner, Stateful& stateful, const Write& write,
                                      const Status& status, const Turn& turn) {
  const std::string set_name(owner.metadata().name);
  const bool is_claim = write.kind == WriteKind::CreateClaim;
  const bool is_delete = write.kind == WriteKind::DeletePod;
  const bool is_there = is_claim && !status && status.error().reason == Reason::AlreadyExists;
  if (is_claim) {
    stateful.claiming.erase(write.claim_name);
    if (status || is_there) stateful.claimed.insert(write.claim_name);
  }
  if (is_there) return Enqueue(owner, turn.now);
  const std::string verb = is_delete ? "delete" : "create";
  std::string what = verb;
  if (is_claim) {
    what += " Claim " + write.claim_name + (status ? " Pod " : " for Pod ") + write.pod_name;
  } else {
    what += " Pod " + write.pod_name;
  }
  what += " in StatefulSet " + set_name;
  if (status) {
    Record(owner.object, EventType::Normal, is_delete ? "SuccessfulDelete" : "SuccessfulCreate",
           what + (is_claim ? " success" : " successful"), turn);
    owner.create_wait = {};
    if (is_claim) Enqueue(owner, turn.now);
    return;
  }
  Record(owner.object, EventType::Warning, is_delete ? "FailedDelete" : "FailedCreate",
         what + " failed error: " + status.error().Text(), turn);
  stateful.creating.erase(write.pod_name);
  stateful.deleting.erase(write.pod_name);
  BackOff(owner, turn.now);
}

void StatefulSetController::Sync(PodOwner& owner, const Turn& turn) {
  Stateful& stateful = statefuls_[owner.uid];
  const codec::Value* const pod_template = FindAt(owner.tree(), {"spec", "template"});
  if (pod_template == nullptr || owner.selector.empty() || stateful.revision.is_pending()) return;
  const Revisions revisions = history_.Of(owner.uid, *pod_template);
  if (NeedsRevision(revisions)) {
    if (owner.is_terminating()) return;
    turn.Do(WriteRevision(*owner.object, revisions, kHashLabel, Begin(owner), stateful.revision));
    return;
  }
  Look look{owner, stateful, turn};
  look.start = IntAt(owner.tree(), {"spec", "ordinals", "start"});
  look.replicas = IntAt(owner.tree(), {"spec", "replicas"}, 1);
  look.is_ordered = TextAt(owner.tree(), {"spec", "podManagementPolicy"}) != "Parallel";
  look.update = revisions.current;
  look.current = history_.Find(owner.metadata().namespace_,
                               TextAt(owner.tree(), {"status", "currentRevision"}));
  if (look.current == nullptr) look.current = look.update;
  SortPods(look);
  if (!owner.is_terminating() && IsSettled(owner, turn.now)) Manage(look);
  WriteStatus(look);
  CleanUpHistory(look, revisions);
}

/// Deletes the oldest revisions beyond the limit that are not current and that no pod uses.
void StatefulSetController::CleanUpHistory(const Look& look, const Revisions& revisions) {
  std::set<std::string_view> live = {look.current->metadata().name, look.update->metadata().name};
  for (const auto& [name, pod] : look.owner.pods.all()) {
    if (const auto revision = pod.metadata().labels.Find(kRevisionLabel)) live.insert(*revision);
  }
  std::vector<ObjectPtr> unused;
  std::ranges::copy_if(revisions.old, std::back_inserter(unused), [&](const ObjectPtr& revision) {
    return !live.contains(revision->metadata().name);
  });
  const std::int64_t limit = IntAt(look.owner.tree(), {"spec", "revisionHistoryLimit"}, 10);
  const std::int64_t surplus = static_cast<std::int64_t>(unused.size()) - limit;
  for (std::int64_t i = 0; i < surplus; ++i) {
    look.turn.Do(
        DeleteObject{.id = Begin(look.owner), .object = unused[static_cast<std::size_t>(i)]});
  }
}

}  // namespace plimsoll::controller
