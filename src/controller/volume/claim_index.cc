#include "controller/volume/claim_index.h"

#include <algorithm>

#include "api/core/pod_phase.h"
#include "match/volume_claim.h"

namespace plimsoll::controller {
namespace {

using api::PersistentVolumeClaim;

template <class Map, class Key, class Value>
void TakeFrom(Map& sets, const Key& key, const Value& value) {
  const auto at = sets.find(key);
  if (at == sets.end()) return;
  at->second.erase(value);
  if (at->second.empty()) sets.erase(at);
}

template <class Map, class Key>
auto Listed(const Map& sets, const Key& key) {
  using Value = typename Map::mapped_type::value_type;
  const auto at = sets.find(key);
  return at == sets.end() ? std::vector<Value>()
                          : std::vector<Value>(at->second.begin(), at->second.end());
}

/// Returns the claims of an unfinished pod that is not bound to a node.
std::vector<ClaimKey> ClaimsWaitedFor(const api::Pod& pod) {
  std::vector<ClaimKey> claims;
  if (!pod.spec.node_name.empty() || IsPodTerminal(pod)) return claims;
  const std::string namespace_(pod.metadata.namespace_);
  for (const api::Volume& volume : pod.spec.volumes) {
    if (volume.kind == api::VolumeKind::PersistentVolumeClaim) {
      claims.emplace_back(namespace_, volume.claim_name);
    } else if (volume.kind == api::VolumeKind::Ephemeral) {
      claims.emplace_back(namespace_,
                          std::string(pod.metadata.name) + "-" + std::string(volume.name));
    }
  }
  return claims;
}

}  // namespace

void ClaimIndex::Put(const ObjectPtr& claim) {
  const ClaimKey key = KeyOf(claim->metadata());
  Erase(key);
  const auto& view = *claim->As<PersistentVolumeClaim>();
  claims_[key] = claim;
  if (!view.metadata.annotations.Has(match::kBindCompleted)) {
    unbound_[std::string(match::ClassOf(view))].insert(key);
  }
  if (!view.spec.volume_name.empty()) naming_[std::string(view.spec.volume_name)].insert(key);
}

void ClaimIndex::Erase(const ClaimKey& key) {
  const auto at = claims_.find(key);
  if (at == claims_.end()) return;
  const auto& view = *at->second->As<PersistentVolumeClaim>();
  TakeFrom(unbound_, match::ClassOf(view), key);
  TakeFrom(naming_, view.spec.volume_name, key);
  claims_.erase(at);
}

ObjectPtr ClaimIndex::Find(const ClaimKey& key) const {
  const auto at = claims_.find(key);
  return at == claims_.end() ? nullptr : at->second;
}

std::vector<ClaimKey> ClaimIndex::UnboundOf(std::string_view storage_class) const {
  return Listed(unbound_, storage_class);
}

std::vector<ClaimKey> ClaimIndex::Naming(std::string_view volume) const {
  return Listed(naming_, volume);
}

std::vector<ClaimKey> ClaimIndex::PutPod(const api::ObjectMeta& metadata, const ObjectPtr& pod) {
  const ClaimKey key = KeyOf(metadata);
  std::vector<ClaimKey> after;
  if (pod != nullptr) after = ClaimsWaitedFor(*pod->As<api::Pod>());
  const auto at = claims_of_pod_.find(key);
  std::vector<ClaimKey> before;
  if (at != claims_of_pod_.end()) before = at->second;
  if (before == after) return {};
  for (const ClaimKey& claim : before) TakeFrom(pods_of_claim_, claim, key.second);
  for (const ClaimKey& claim : after) pods_of_claim_[claim].insert(key.second);
  if (after.empty()) {
    claims_of_pod_.erase(key);
  } else {
    claims_of_pod_[key] = after;
  }
  std::ranges::copy(before, std::back_inserter(after));
  return after;
}

std::vector<std::string> ClaimIndex::WaitingPods(const ClaimKey& claim) const {
  return Listed(pods_of_claim_, claim);
}

}  // namespace plimsoll::controller
