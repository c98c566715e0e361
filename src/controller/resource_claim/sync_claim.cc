#include <algorithm>

#include "controller/resource_claim/pod_claims.h"
#include "controller/resource_claim/resource_claim_controller.h"

/// What is to be done about a claim.
namespace plimsoll::controller {

void ResourceClaimController::SyncClaim(const ObjectName& name, Claim& claim, Actions& out) {
  if (IsWaiting(claim)) return;
  const auto& view = *claim.object->As<api::ResourceClaim>();
  const auto needed = NeededBy(name, view, out);
  if (!needed || Release(name, claim, *needed, out) || !needed->empty()) return;

  // Made for a pod that is not going to run. One whose pod is not known is left to the garbage
  // collector: the news of the pod may still come.
  const auto pod = pods_.find(OwningPod(view.metadata));
  if (pod == pods_.end() || !pod->second.is_done) return;
  if (!view.metadata.deletion_timestamp.empty()) return;
  claim.write = Begin({.kind = Write::Kind::Claim, .cause = ClaimKey(name), .claim = name});
  claim.written_version = view.metadata.resource_version;
  out.push_back(DeleteObject{.id = claim.write, .object = claim.object});
}

std::optional<std::vector<std::size_t>> ResourceClaimController::NeededBy(
    const ObjectName& name, const api::ResourceClaim& claim, Actions& out) {
  std::vector<std::size_t> needed;
  for (std::size_t place = 0; place < claim.reserved_for.size(); ++place) {
    const api::ConsumerReference& consumer = claim.reserved_for[place];
    if (!consumer.api_group.empty() || consumer.resource != "pods") return std::nullopt;
    if (IsNeeded(name, consumer, out)) needed.push_back(place);
  }
  return needed;
}

/// A pod that nothing is known of may be too new rather than gone. Taking its devices away would be
/// bad, so the server is asked.
bool ResourceClaimController::IsNeeded(const ObjectName& claim,
                                       const api::ConsumerReference& consumer, Actions& out) {
  const auto pod = pods_.find(consumer.uid);
  if (pod != pods_.end()) return !pod->second.is_done;
  Consumer& unknown = consumers_.find(consumer.uid)->second;
  if (unknown.is_gone) return false;
  if (unknown.is_asked_for) return true;
  unknown.is_asked_for = true;
  out.push_back(ConfirmObject{.id = Begin({.kind = Write::Kind::Confirm,
                                           .cause = ClaimKey(claim),
                                           .name = std::string(consumer.uid),
                                           .claim = {}}),
                              .kind = api::FindKind("", "v1", "Pod"),
                              .namespace_ = claim.first,
                              .name = std::string(consumer.name),
                              .uid = std::string(consumer.uid)});
  return true;
}

/// Takes away the consumers that do not need the claim, with the last of them the allocation, and
/// then the finalizer. A claim that goes with its finalizer takes all of that with it. Whether
/// there was anything to take away.
bool ResourceClaimController::Release(const ObjectName& name, Claim& claim,
                                      const std::vector<std::size_t>& kept, Actions& out) {
  const auto& view = *claim.object->As<api::ResourceClaim>();
  const bool is_protected = HasFinalizer(view.metadata);
  const bool is_going = is_protected && kept.empty() && !view.metadata.deletion_timestamp.empty();
  const bool goes_at_once = is_going && view.metadata.finalizers.size() == 1;
  const bool holds_more = kept.size() < view.reserved_for.size() || (is_going && view.allocation);
  if (holds_more && !goes_at_once) {
    PatchClaim(name, claim, "status", ReleasePatch(*claim.object, kept), ClaimKey(name), out);
    claim.is_released = kept.empty();
    return true;
  }
  // The scheduler puts the finalizer on before it allocates, so one on a claim without an
  // allocation is not ours to remove unless we took the allocation away.
  const bool was_released = std::exchange(claim.is_released, false) && !view.allocation;
  if (!is_protected || !(is_going || was_released)) return false;
  PatchClaim(name, claim, {}, RemoveFinalizerPatch(*claim.object), ClaimKey(name), out);
  return true;
}

}  // namespace plimsoll::controller
