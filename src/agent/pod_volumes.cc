#include "agent/pod_volumes.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/assert.h"

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

const api::KindDesc& KindOf(std::string_view kind) {
  const api::KindDesc* const found = api::FindKind("", "v1", kind);
  PL_ASSERT(found != nullptr);
  return *found;
}

}  // namespace

bool HasVolumeClaims(const api::PodSpec& spec) {
  return std::ranges::any_of(spec.volumes, HasClaim);
}

VolumeReads::VolumeReads(const api::Object& pod) : namespace_(pod.metadata().namespace_) {
  for (const api::Volume& volume : pod.As<api::Pod>()->spec.volumes) {
    if (HasClaim(volume)) claims_.push_back(ClaimName(pod.metadata(), volume));
  }
}

std::optional<api::ObjectRef> VolumeReads::Next() const {
  if (volumes_.size() == claims_.size()) return std::nullopt;
  if (!volume_name_.empty()) return api::ObjectRef(KindOf("PersistentVolume"), {}, volume_name_);
  return api::ObjectRef(KindOf("PersistentVolumeClaim"), namespace_, claims_[volumes_.size()]);
}

Status VolumeReads::FinishRead(const ActionFinished& read) {
  const std::string& claim = claims_[volumes_.size()];
  const Status taken = volume_name_.empty() ? FinishClaimRead(read) : FinishVolumeRead(read);
  if (taken) return {};
  return Fail(taken.error().reason, fmt::format("error processing PVC {}/{}: {}", namespace_, claim,
                                                taken.error().message));
}

Status VolumeReads::FinishClaimRead(const ActionFinished& read) {
  if (!read.status) {
    return Fail(read.status.error().reason,
                "failed to fetch PVC from API server: " + read.status.error().message);
  }
  const auto& claim = *read.object->As<api::PersistentVolumeClaim>();
  if (claim.phase != "Bound" || claim.spec.volume_name.empty()) {
    return Fail(Reason::Conflict, "PVC is not bound");
  }
  volume_name_ = claim.spec.volume_name;
  return {};
}

Status VolumeReads::FinishVolumeRead(const ActionFinished& read) {
  if (!read.status) {
    return Fail(read.status.error().reason, fmt::format("failed to fetch PV {} from API server: {}",
                                                        volume_name_, read.status.error().message));
  }
  volumes_.push_back(read.object);
  volume_name_.clear();
  return {};
}

}  // namespace plimsoll::agent
