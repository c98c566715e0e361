#include "scheduler/volume/pod_claims.h"

#include <algorithm>

#include "base/go_text.h"

namespace plimsoll::scheduler {

bool HasClaim(const api::Volume& volume) {
  return volume.kind == api::VolumeKind::PersistentVolumeClaim ||
         volume.kind == api::VolumeKind::Ephemeral;
}

std::string ClaimName(const api::Pod& pod, const api::Volume& volume) {
  if (volume.kind == api::VolumeKind::PersistentVolumeClaim) return std::string(volume.claim_name);
  return std::string(pod.metadata.name) + "-" + std::string(volume.name);
}

std::string OwnershipFault(const api::Pod& pod, const api::PersistentVolumeClaim& claim) {
  const auto controller = std::ranges::find_if(
      claim.metadata.owner_references,
      [](const api::OwnerReference& owner) { return owner.controller.value_or(false); });
  if (controller != claim.metadata.owner_references.end() && controller->uid == pod.metadata.uid) {
    return {};
  }
  return "PVC " + std::string(claim.metadata.namespace_) + "/" + std::string(claim.metadata.name) +
         " was not created for pod " + std::string(pod.metadata.namespace_) + "/" +
         std::string(pod.metadata.name) + " (pod is not owner)";
}

bool UsesClaim(const api::Pod& pod, const api::ObjectMeta& claim, bool ephemeral) {
  if (pod.metadata.namespace_ != claim.namespace_) return false;
  return std::ranges::any_of(pod.spec.volumes, [&](const api::Volume& volume) {
    if (volume.kind == api::VolumeKind::PersistentVolumeClaim) {
      return volume.claim_name == claim.name;
    }
    return ephemeral && volume.kind == api::VolumeKind::Ephemeral &&
           ClaimName(pod, volume) == claim.name;
  });
}

std::string NotFoundText(std::string_view resource, std::string_view name) {
  return std::string(resource) + " " + GoQuote(name) + " not found";
}

}  // namespace plimsoll::scheduler
