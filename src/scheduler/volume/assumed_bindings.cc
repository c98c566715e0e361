#include "scheduler/volume/assumed_bindings.h"

#include "match/volume_claim.h"

namespace plimsoll::scheduler {
namespace {

std::pair<std::string, std::string> KeyOf(const api::ObjectMeta& metadata) {
  return {std::string(metadata.namespace_), std::string(metadata.name)};
}

}  // namespace

bool IsSameVersion(const ObjectPtr& a, const ObjectPtr& b) {
  if (a == b) return true;
  const std::string_view version = a->metadata().resource_version;
  return !version.empty() && version == b->metadata().resource_version &&
         a->metadata().uid == b->metadata().uid;
}

void AssumedBindings::AssumeVolume(const ObjectPtr& volume, const ObjectPtr& claim) {
  volumes_.insert_or_assign(std::string(volume->metadata().name), VolumeEntry{volume, claim});
}

void AssumedBindings::ForgetVolume(const api::ObjectMeta& volume) {
  const auto at = volumes_.find(volume.name);
  if (at != volumes_.end()) volumes_.erase(at);
}

void AssumedBindings::AssumeClaim(const ObjectPtr& claim, std::string_view node) {
  claims_.insert_or_assign(KeyOf(claim->metadata()), ClaimEntry{claim, std::string(node)});
}

void AssumedBindings::ForgetClaim(const api::ObjectMeta& claim) { claims_.erase(KeyOf(claim)); }

std::optional<api::ObjectReference> AssumedBindings::ClaimRef(const ObjectPtr& volume) const {
  const auto at = volumes_.find(volume->metadata().name);
  if (at == volumes_.end() || !IsSameVersion(at->second.volume, volume)) {
    return volume->As<api::PersistentVolume>()->spec.claim_ref;
  }
  const api::ObjectMeta& claim = at->second.claim->metadata();
  return api::ObjectReference{.kind = "PersistentVolumeClaim",
                              .namespace_ = claim.namespace_,
                              .name = claim.name,
                              .uid = claim.uid};
}

std::optional<std::string> AssumedBindings::SelectedNode(const ObjectPtr& claim) const {
  const auto at = claims_.find(KeyOf(claim->metadata()));
  if (at != claims_.end() && IsSameVersion(at->second.claim, claim)) return at->second.node;
  const auto node = claim->metadata().annotations.Find(match::kSelectedNode);
  return node ? std::optional(std::string(*node)) : std::nullopt;
}

}  // namespace plimsoll::scheduler
