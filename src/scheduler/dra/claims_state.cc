#include "scheduler/dra/claims_state.h"

#include <algorithm>

namespace plimsoll::scheduler {

ClaimsState::Lacks ClaimsState::LacksOf(const Allocatable& node) const {
  Lacks lacks(extended.size());
  for (std::size_t i = 0; i < extended.size(); ++i) lacks[i] = !NodeProvides(node, extended[i].id);
  return lacks;
}

std::vector<ExtendedRequest> ClaimsState::ExtendedOn(const Allocatable& node) const {
  std::vector<ExtendedRequest> lacking;
  std::ranges::copy_if(extended, std::back_inserter(lacking),
                       [&](const ExtendedRequest& one) { return !NodeProvides(node, one.id); });
  return lacking;
}

const dra::ClaimSet& ClaimsState::SetFor(dra::Allocator& allocator, const Allocatable& node) const {
  return SetFor(allocator, LacksOf(node));
}

const dra::ClaimSet& ClaimsState::SetFor(dra::Allocator& allocator, const Lacks& lacks) const {
  const auto [at, is_new] = sets_.try_emplace(lacks);
  if (!is_new) return at->second;
  std::vector<ObjectPtr> claims = wanted;
  std::vector<ExtendedRequest> lacking;
  for (std::size_t i = 0; i < extended.size(); ++i) {
    if (lacks[i]) lacking.push_back(extended[i]);
  }
  if (!lacking.empty()) {
    claims.push_back(MakeExtendedClaim(*pod, "<extended-resources>", ExtendedUid(), lacking));
  }
  if (!claims.empty()) at->second = allocator.Compile(std::move(claims));
  return at->second;
}

void ClaimsState::FilterNodes(ClusterState& cluster, Bitmap& nodes) const {
  fault.reset();
  dra::Allocator& allocator = cluster.devices().allocator();
  if (extended.empty()) {
    const dra::ClaimSet& set = SetFor(allocator, Lacks());
    if (!set.empty()) fault = allocator.Filter(set, nodes);
    return;
  }
  std::map<Lacks, Bitmap> alike;
  nodes.ForEach([&](std::size_t i) {
    const auto at =
        alike.try_emplace(LacksOf(cluster.row(static_cast<NodeSlot>(i)).allocatable), nodes.size());
    at.first->second.Set(i);
  });
  nodes.Fill(false);
  for (auto& [lacks, some] : alike) {
    const dra::ClaimSet& set = SetFor(allocator, lacks);
    const std::optional<NodeSlot> failed = set.empty() ? std::nullopt : allocator.Filter(set, some);
    if (!fault) fault = failed;
    nodes.Or(some);
  }
}

}  // namespace plimsoll::scheduler
