#include "agent/pod_volumes.h"

#include <fmt/format.h>

#include <algorithm>

namespace plimsoll::agent {
namespace {

bool HasClaim(const api::Volume& volume) {
  return volume.kind == api::VolumeKind::PersistentVolumeClaim ||
         volume.kind == api::VolumeKind::Ephemeral;
}

std::string ClaimName(const api::ObjectMeta& pod, const api::Volume& volume) {
  if (volume.kind == api::VolumeKind::PersistentVolumeClaim) return std::string(volume.claim_name);
  return fmt::format("{}-{}", pod.name, volume.name);
}

Result<ObjectPtr> ReadBoundVolume(std::string_view namespace_, const std::string& claim_name,
                                  const ObjectReader& read) {
  const Result<ObjectPtr> object = read("PersistentVolumeClaim", namespace_, claim_name);
  if (!object) {
    return Fail(object.error().reason,
                "failed to fetch PVC from API server: " + object.error().message);
  }
  const auto& claim = *(*object)->As<api::PersistentVolumeClaim>();
  if (claim.phase != "Bound" || claim.spec.volume_name.empty()) {
    return Fail(Reason::Conflict, "PVC is not bound");
  }
  const std::string volume_name(claim.spec.volume_name);
  Result<ObjectPtr> volume = read("PersistentVolume", {}, volume_name);
  if (!volume) {
    return Fail(volume.error().reason, fmt::format("failed to fetch PV {} from API server: {}",
                                                   volume_name, volume.error().message));
  }
  return volume;
}

}  // namespace

bool HasVolumeClaims(const api::PodSpec& spec) {
  return std::ranges::any_of(spec.volumes, HasClaim);
}

Result<std::vector<ObjectPtr>> CollectVolumes(const api::Object& pod, const ObjectReader& read) {
  std::vector<ObjectPtr> volumes;
  const api::ObjectMeta& metadata = pod.metadata();
  for (const api::Volume& volume : pod.As<api::Pod>()->spec.volumes) {
    if (!HasClaim(volume)) continue;
    const std::string claim = ClaimName(metadata, volume);
    Result<ObjectPtr> bound = ReadBoundVolume(metadata.namespace_, claim, read);
    if (!bound) {
      return Fail(bound.error().reason,
                  fmt::format("error processing PVC {}/{}: {}", metadata.namespace_, claim,
                              bound.error().message));
    }
    volumes.push_back(std::move(*bound));
  }
  return volumes;
}

}  // namespace plimsoll::agent
