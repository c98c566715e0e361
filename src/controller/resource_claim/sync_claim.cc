#include <algorithm>

#include "controller/resource_claim/pod_claims.h"
#include "controller/resource_claim/resource_claim_controller.h"

/// Releases or deletes a claim that is no longer needed.
namespace plimsoll::controller {

void ResourceClaimController::SyncClaim(const ObjectName& name, Claim& claim, const Turn& turn) {
  if (IsWaiting(claim)) return;
  const auto& view = *claim.object->As<api::ResourceClaim>();
  const auto needed = NeededBy(name, view, turn);
  if (!needed || Release(name, claim, *needed, turn) || !needed->empty()) return;

  // The claim was made for a pod that will not run. If the pod is unknown, the garbage collector
  // decides: the pod's watch event may still arrive.
  const auto pod = pods_.find(OwningPod(view.metadata));
  if (pod == pods_.end() || !pod->second.is_done) return;
  if (!view.metadata.deletion_timestamp.empty()) return;
  claim.write = Begin({.kind = Write::Kind::Claim, .cause = ClaimKey(name), .claim = name});
  claim.written_version = view.metadata.resource_version;
  turn.Do(DeleteObject{.id = claim.write, .object = claim.object});
}

std::optional<std::vector<std::size_t>> ResourceClaimController::NeededBy(
    const ObjectName& name, const api::ResourceClaim& claim, const Turn& turn) {
  std::vector<std::size_t> needed;
  for (std::size_t place = 0; place < claim.reserved_for.size(); ++place) {
    const api::ConsumerReference& consumer = claim.reserved_for[place];
    if (!consumer.api_group.empty() || consumer.resource != "pods") return std::nullopt;
    if (IsNeeded(name, consumer, turn)) needed.push_back(place);
  }
  return needed;
}

/// Returns true if the consumer may still need the claim. An unknown pod may be new rather than
/// deleted, so the controller asks the API server before it releases devices.
bool ResourceClaimController::IsNeeded(const ObjectName& claim,
                                       const api::ConsumerReference& consumer, const Turn& turn) {
  const auto pod = pods_.find(consumer.uid);
  if (pod != pods_.end()) return !pod->second.is_done;
  Consumer& unknown = consumers_.find(consumer.uid)->second;
  if (unknown.is_gone) return false;
  if (unknown.is_asked_for) return true;
  unknown.is_asked_for = true;
  turn.Do(GetObject{.id = Begin({.kind = Write::Kind::Confirm,
                                 .cause = ClaimKey(claim),
                                 .name = std::string(consumer.uid),
                                 .claim = {}}),
                    .object = api::ObjectRef(*api::FindKind("", "v1", "Pod"), claim.first,
                                             consumer.name, consumer.uid)});
  return true;
}

/// Removes consumers that do not need the claim; with the last of them also the allocation, and
/// then the finalizer. If the finalizer is the last one of a terminating claim, removing it is
/// enough. Returns true if it wrote something.
bool ResourceClaimController::Release(const ObjectName& name, Claim& claim,
                                      const std::vector<std::size_t>& kept, const Turn& turn) {
  const auto& view = *claim.object->As<api::ResourceClaim>();
  const bool is_protected = HasFinalizer(view.metadata);
  const bool is_going = is_protected && kept.empty() && !view.metadata.deletion_timestamp.empty();
  const bool goes_at_once = is_going && view.metadata.finalizers.size() == 1;
  const bool holds_more = kept.size() < view.reserved_for.size() || (is_going && view.allocation);
  if (holds_more && !goes_at_once) {
    PatchClaim(name, claim, "status", ReleasePatch(*claim.object, kept), ClaimKey(name), turn);
    claim.is_released = kept.empty();
    return true;
  }
  // The scheduler adds the finalizer before it allocates. So without an allocation, the finalizer
  // may only be removed if this controller removed the allocation.
  const bool was_released = std::exchange(claim.is_released, false) && !view.allocation;
  if (!is_protected || !(is_going || was_released)) return false;
  PatchClaim(name, claim, {}, RemoveFinalizerPatch(*claim.object), ClaimKey(name), turn);
  return true;
}

}  // namespace plimsoll::controller
