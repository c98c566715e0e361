#include <utility>

#include "codec/json.h"
#include "scheduler/dra/extended_resources.h"
#include "scheduler/plugins/dynamic_resources.h"

/// DynamicResources: from Reserve to PostBind.
namespace plimsoll::scheduler {

ClaimReservation::Part DynamicResources::NewClaim(const PodUnderTest& pod,
                                                  const ClaimsState& claims, NodeSlot node) const {
  const api::ObjectMeta& of = pod.pod.metadata;
  const std::string claim = ExtendedClaimName(of, devices().random());
  const std::vector<ExtendedRequest> requests = claims.ExtendedOn(cluster_.row(node).allocatable);
  ClaimReservation::Part part{
      .claim = MakeExtendedClaim(of, claim, claims.ExtendedUid(), requests),
      .allocation = {},
      .create = codec::WriteJson(MakeExtendedClaim(of, claim, {}, requests)->tree())};
  part.then.emplace_back(api::PatchObject{.object = cluster_.pod(pod.id).object,
                                          .subresource = "status",
                                          .body = ExtendedStatusPatch(of, claim, requests),
                                          .form = api::PatchForm::StrategicMerge});
  return part;
}

Verdict DynamicResources::Reserve(const PodUnderTest& pod, const PluginState* state,
                                  NodeSlot node) {
  if (state == nullptr) return {};
  const ClaimsState& claims = Of(state);
  std::vector<ClaimReservation::Part> parts;
  if (const dra::ClaimSet& set = SetAt(claims, node); !set.empty()) {
    dra::Allocator::Outcome outcome = allocator().Allocate(set, node, devices().random());
    if (outcome.answer != dra::Allocator::Answer::Possible) return RefusalOf(outcome, claims, node);
    for (std::size_t i = 0; i < outcome.allocations.size(); ++i) {
      const bool is_new = i >= claims.wanted.size();
      parts.push_back(is_new ? NewClaim(pod, claims, node)
                             : ClaimReservation::Part{.claim = set.claims()[i], .allocation = {}});
      parts.back().allocation = std::move(outcome.allocations[i]);
    }
  }
  for (const AllocatedClaim& claim : claims.allocated) {
    parts.push_back({.claim = claim.object(), .allocation = {}});
  }
  reservations_.insert_or_assign(
      pod.id, ClaimReservation(devices(), cluster_.node_name(node), std::move(parts)));
  return {};
}

std::vector<api::Write> DynamicResources::Unreserve(const PodUnderTest& pod, NodeSlot /*node*/) {
  const auto at = reservations_.find(pod.id);
  if (at == reservations_.end()) return {};
  std::vector<api::Write> writes = at->second.Undo(devices(), pod.pod.metadata);
  reservations_.erase(at);
  return writes;
}

PreBindOutcome DynamicResources::PreBind(const PodUnderTest& pod, NodeSlot /*node*/, Instant now) {
  const auto at = reservations_.find(pod.id);
  return at == reservations_.end() ? PreBindOutcome()
                                   : at->second.Continue(devices(), pod.pod.metadata, now);
}

Verdict DynamicResources::WritesFailed(const PodUnderTest& pod, const Error& error) {
  const auto at = reservations_.find(pod.id);
  return at == reservations_.end() ? PreBindPlugin::WritesFailed(pod, error)
                                   : at->second.WritesFailed(devices(), error);
}

void DynamicResources::PostBind(const PodUnderTest& pod, std::string_view /*node*/) {
  reservations_.erase(pod.id);
}

}  // namespace plimsoll::scheduler
