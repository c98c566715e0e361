#pragma once

#include "controller/device_taint_eviction/device_taint_eviction.h"
#include "controller/resource_claim/pod_claims.h"

namespace plimsoll::controller {

template <class Visit>
void DeviceTaintEviction::VisitClaims(const Pod& pod, Visit visit) const {
  const auto try_claim = [&](std::string_view name, bool must_be_owned) {
    const auto found = claims_.find({pod.namespace_(), name});
    if (found == claims_.end()) return;
    const api::ResourceClaim& claim = found->second->view();
    if (must_be_owned && OwningPod(claim.metadata) != pod.uid) return;
    if (IsReservedFor(claim, pod.uid)) visit(*found->second);
  };
  for (const api::PodResourceClaim& one : pod.object->As<api::Pod>()->spec.resource_claims) {
    const PodClaim claim = ClaimOf(*pod.object, one);
    if (claim.name.empty()) continue;
    try_claim(claim.name, claim.kind == PodClaim::Kind::Generated);
  }
  const std::string_view extended = ExtendedClaimOf(*pod.object);
  if (!extended.empty()) try_claim(extended, true);
}

}  // namespace plimsoll::controller
