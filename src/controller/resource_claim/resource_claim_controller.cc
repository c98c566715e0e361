#include "controller/resource_claim/resource_claim_controller.h"

#include <algorithm>
#include <array>

#include "controller/resource_claim/pod_claims.h"

namespace plimsoll::controller {
namespace {

/// Removes the element from the set with this key, and the set if it becomes empty.
template <class Map, class Key, class Element>
void Drop(Map& sets, const Key& key, const Element& element) {
  const auto at = sets.find(key);
  if (at == sets.end()) return;
  at->second.erase(element);
  if (at->second.empty()) sets.erase(at);
}

}  // namespace

std::span<const WatchedKind> ResourceClaimController::watched() const {
  static constexpr std::array kWatched = {
      WatchedKind{"", "v1", "Pod"}, WatchedKind{"resource.k8s.io", "v1", "ResourceClaim"},
      WatchedKind{"resource.k8s.io", "v1", "ResourceClaimTemplate"}};
  return kWatched;
}

void ResourceClaimController::OnChange(const ObjectChanged& change, Instant now) {
  const auto& [before, after] = change;
  const api::Object& any = after != nullptr ? *after : *before;
  if (any.As<api::Pod>() != nullptr) {
    OnPodChange(before, after, now);
  } else if (any.As<api::ResourceClaim>() != nullptr) {
    OnClaimChange(before, after);
  } else if (any.As<api::ResourceClaimTemplate>() != nullptr) {
    OnTemplateChange(before, after);
  }
}

void ResourceClaimController::Run(const Turn& turn) {
  while (const auto key = queue_.Take(turn.now)) {
    if (key->is_claim) {
      if (Claim* const claim = FindClaim(key->name)) SyncClaim(key->name, *claim, turn);
    } else {
      const auto pod = pods_.find(key->name.second);
      if (pod != pods_.end()) SyncPod(pod->first, pod->second, turn);
    }
  }
}

ResourceClaimController::Claim* ResourceClaimController::FindClaim(const ObjectName& name) {
  const auto at = claims_.find(name);
  return at == claims_.end() ? nullptr : &at->second;
}

void ResourceClaimController::OnPodChange(const ObjectPtr& before, const ObjectPtr& after,
                                          Instant now) {
  const bool is_other =
      after != nullptr && before != nullptr && before->metadata().uid != after->metadata().uid;
  if (before != nullptr && (after == nullptr || is_other)) {
    ForgetPod(before->metadata().uid, now);
  }
  if (after == nullptr) return;

  const std::string_view uid = after->metadata().uid;
  const bool is_done = IsPodDone(*after);
  const auto& spec = after->As<api::Pod>()->spec;
  const std::string_view extended = ExtendedClaimOf(*after);
  auto at = pods_.find(uid);
  const bool is_new = at == pods_.end();
  if (is_new) at = pods_.emplace(uid, Pod{}).first;
  Pod& pod = at->second;
  const bool has_ended = is_done && !pod.is_done;
  pod.is_done = is_done;
  if (is_new || has_ended) {
    if (const auto consumer = consumers_.find(uid); consumer != consumers_.end()) {
      consumer->second.is_gone = false;
    }
    MarkClaimsOf(uid, now);
  }
  if (spec.resource_claims.empty() && extended.empty()) return;

  pod.object = after;
  std::vector<ObjectName> claims;
  for (const api::PodResourceClaim& entry : spec.resource_claims) {
    const PodClaim claim = ClaimOf(*after, entry);
    if (claim.name.empty()) continue;
    claims.emplace_back(after->metadata().namespace_, claim.name);
  }
  FilePod(uid, pod, std::move(claims));
  queue_.Add(PodKey(uid));
}

void ResourceClaimController::ForgetPod(std::string_view uid, Instant now) {
  MarkClaimsOf(uid, now + kCollectionMax);
  if (const auto consumer = consumers_.find(uid); consumer != consumers_.end()) {
    consumer->second.is_gone = true;
  }
  const auto at = pods_.find(uid);
  if (at == pods_.end()) return;
  Pod& pod = at->second;
  if (pod.object != nullptr) {
    for (const api::PodResourceClaim& claim : pod.object->As<api::Pod>()->spec.resource_claims) {
      if (!claim.resource_claim_template_name) continue;
      Drop(without_template_,
           ObjectName(pod.object->metadata().namespace_, *claim.resource_claim_template_name),
           at->first);
    }
  }
  FilePod(uid, pod, {});
  queue_.Erase(PodKey(uid));
  pods_.erase(at);
}

void ResourceClaimController::FilePod(std::string_view uid, Pod& pod,
                                      std::vector<ObjectName> claims) {
  if (pod.claims == claims) return;
  for (const ObjectName& claim : pod.claims) Drop(users_, claim, std::string(uid));
  for (const ObjectName& claim : claims) users_[claim].emplace(uid);
  pod.claims = std::move(claims);
}

void ResourceClaimController::MarkClaimsOf(std::string_view pod_uid, Instant own_from) {
  const auto owned = owned_.find(pod_uid);
  if (const auto consumer = consumers_.find(pod_uid); consumer != consumers_.end()) {
    for (const ObjectName& claim : consumer->second.claims) {
      if (owned == owned_.end() || !owned->second.contains(claim)) queue_.Add(ClaimKey(claim));
    }
  }
  if (owned == owned_.end()) return;
  for (const ObjectName& claim : owned->second) queue_.AddAt(ClaimKey(claim), own_from);
}

void ResourceClaimController::MarkPodsOf(const ObjectName& claim) {
  const auto users = users_.find(claim);
  if (users == users_.end()) return;
  for (const std::string& uid : users->second) queue_.Add(PodKey(uid));
}

void ResourceClaimController::OnClaimChange(const ObjectPtr& before, const ObjectPtr& after) {
  const ObjectName name = NameOf((after != nullptr ? after : before)->metadata());
  if (before != nullptr) FileClaim(*before, false);
  if (after != nullptr) FileClaim(*after, true);
  if (before != nullptr) DropConsumersOf(*before);
  const bool is_other =
      before == nullptr || after == nullptr || before->metadata().uid != after->metadata().uid;
  if (is_other) claims_.erase(name);
  if (after != nullptr) {
    claims_[name].object = after;
    queue_.Add(ClaimKey(name));
  } else {
    queue_.Erase(ClaimKey(name));
  }
  MarkPodsOf(name);
  // The owning pod must get the claim's name into its status, or a new claim if this one was
  // deleted.
  const std::string_view owner = OwningPod((after != nullptr ? after : before)->metadata());
  const auto pod = owner.empty() ? pods_.end() : pods_.find(owner);
  if (pod == pods_.end()) return;
  if (after != nullptr) {
    const auto creation = pod->second.creations.find(
        after->metadata().annotations.Find(kPodClaimName).value_or(std::string_view()));
    if (creation != pod->second.creations.end()) pod->second.creations.erase(creation);
  }
  if (is_other) queue_.Add(PodKey(owner));
}

void ResourceClaimController::FileClaim(const api::Object& claim, bool is_there) {
  metrics_.Count(claim, is_there ? 1 : -1);
  const auto& view = *claim.As<api::ResourceClaim>();
  const ObjectName name = NameOf(view.metadata);
  if (const std::string_view owner = OwningPod(view.metadata); !owner.empty()) {
    if (is_there) {
      owned_[std::string(owner)].insert(name);
    } else {
      Drop(owned_, owner, name);
    }
  }
  for (const api::ConsumerReference& reference : view.reserved_for) {
    if (is_there) {
      consumers_[std::string(reference.uid)].claims.insert(name);
      continue;
    }
    const auto consumer = consumers_.find(reference.uid);
    if (consumer != consumers_.end()) consumer->second.claims.erase(name);
  }
}

void ResourceClaimController::DropConsumersOf(const api::Object& claim) {
  for (const api::ConsumerReference& reference : claim.As<api::ResourceClaim>()->reserved_for) {
    const auto consumer = consumers_.find(reference.uid);
    if (consumer != consumers_.end() && consumer->second.claims.empty()) consumers_.erase(consumer);
  }
}

void ResourceClaimController::OnTemplateChange(const ObjectPtr& before, const ObjectPtr& after) {
  const ObjectName name = NameOf((after != nullptr ? after : before)->metadata());
  if (after == nullptr) {
    templates_.erase(name);
    return;
  }
  templates_[name] = after;
  const auto waiting = without_template_.extract(name);
  if (waiting.empty()) return;
  for (const std::string& uid : waiting.mapped()) queue_.Add(PodKey(uid));
}

ActionId ResourceClaimController::Begin(Write write) {
  const ActionId id = next_id_++;
  writes_.emplace(id, std::move(write));
  return id;
}

void ResourceClaimController::Finish(const ActionFinished& event, const Turn& turn) {
  const auto at = writes_.find(event.id);
  if (at == writes_.end()) return;
  const Write write = std::move(at->second);
  writes_.erase(at);
  switch (write.kind) {
    case Write::Kind::CreateClaim:
      return FinishCreation(write, event.status, turn);
    case Write::Kind::Claim:
      return FinishClaim(event.id, write, event.status, turn.now);
    case Write::Kind::Confirm:
      return FinishConfirm(write, event.status, turn.now);
    case Write::Kind::PodStatus:
      break;
  }
  const auto pod = pods_.find(write.cause.name.second);
  if (pod == pods_.end()) return;
  pod->second.write = 0;
  if (event.status) {
    queue_.Forget(write.cause);
    queue_.Add(write.cause);
  } else {
    pod->second.written_version.clear();
    queue_.Retry(write.cause, turn.now);
  }
}

void ResourceClaimController::FinishCreation(const Write& write, const Status& status,
                                             const Turn& turn) {
  metrics_.CountCreation(status.has_value(), write.is_admin);
  const auto pod = pods_.find(write.cause.name.second);
  if (pod == pods_.end()) return;
  const auto creation = pod->second.creations.find(write.name);
  if (status) {
    if (creation == pod->second.creations.end()) return;  // its watch event came first
    creation->second = {.is_under_way = false, .since = turn.now};
    queue_.AddAt(write.cause, turn.now + kSightMax);
    return;
  }
  if (creation != pod->second.creations.end()) pod->second.creations.erase(creation);
  RecordFailure(pod->second, write.name, "create ResourceClaim : " + status.error().Text(), turn);
  queue_.Retry(write.cause, turn.now);
}

void ResourceClaimController::FinishClaim(ActionId id, const Write& write, const Status& status,
                                          Instant now) {
  Claim* const claim = FindClaim(write.claim);
  if (claim == nullptr || claim->write != id) return;
  claim->write = 0;
  if (status) {
    queue_.Forget(write.cause);
    queue_.Add(ClaimKey(write.claim));
    return;
  }
  claim->written_version.clear();
  claim->is_released = false;
  queue_.Retry(write.cause, now);
}

void ResourceClaimController::FinishConfirm(const Write& write, const Status& status, Instant now) {
  const auto consumer = consumers_.find(write.name);
  if (consumer == consumers_.end()) return;
  consumer->second.is_asked_for = false;
  if (status) return;  // the pod exists: its watch event will follow
  if (status.error().reason != Reason::NotFound) return queue_.Retry(write.cause, now);
  if (!pods_.contains(write.name)) consumer->second.is_gone = true;
  for (const ObjectName& claim : consumer->second.claims) queue_.Add(ClaimKey(claim));
}

bool ResourceClaimController::IsWaiting(const Claim& claim) {
  return claim.write != 0 || claim.written_version == claim.object->metadata().resource_version;
}

void ResourceClaimController::PatchClaim(const ObjectName& name, Claim& claim,
                                         std::string_view subresource, std::string patch, Key cause,
                                         const Turn& turn) {
  claim.write = Begin({.kind = Write::Kind::Claim, .cause = std::move(cause), .claim = name});
  claim.written_version = claim.object->metadata().resource_version;
  turn.Do(PatchObject{.id = claim.write,
                      .object = claim.object,
                      .subresource = subresource,
                      .body = std::move(patch)});
}

}  // namespace plimsoll::controller
