#include <algorithm>

#include "api/core/volume_source.h"
#include "base/go_text.h"
#include "controller/volume/volume_binder.h"
#include "controller/volume/volume_patch.h"
#include "match/volume_claim.h"

/// Sync of a volume.
namespace plimsoll::controller {
namespace {

using api::PersistentVolume;
using api::PersistentVolumeClaim;

constexpr std::string_view kProvisionedBy = "pv.kubernetes.io/provisioned-by";
constexpr std::string_view kMigratedTo = "pv.kubernetes.io/migrated-to";

/// Component that deletes a volume, or the reason why none can.
struct Deleter {
  enum class Who : std::uint8_t { Outside, Here, Nobody };
  Who who = Who::Nobody;
  std::string fault;
};

Deleter FindDeleter(const PersistentVolume& volume) {
  const auto maker = volume.metadata.annotations.Find(kProvisionedBy);
  if (maker && !maker->empty()) {
    if (!maker->starts_with("kubernetes.io/")) return {Deleter::Who::Outside, {}};
    return {Deleter::Who::Nobody, "no volume plugin matched name: " + std::string(*maker)};
  }
  const codec::Value* host_path = api::FindSource(volume.spec, "hostPath");
  if (host_path == nullptr) {
    return {Deleter::Who::Nobody, "error getting deleter volume plugin for volume " +
                                      GoQuote(volume.metadata.name) +
                                      ": no deletable volume plugin matched"};
  }
  // Upstream's protection against a claim that would delete parts of the host.
  constexpr std::string_view kAllowed = "/tmp/";
  const std::string_view path = api::SourceText(host_path, "path");
  if (path.starts_with(kAllowed) && path.size() > kAllowed.size()) {
    return {Deleter::Who::Here, {}};
  }
  return {Deleter::Who::Nobody,
          "host_path deleter only supports /tmp/.+ but received provided " + std::string(path)};
}

}  // namespace

bool VolumeBinder::SetPhase(const ObjectPtr& volume, std::string_view phase, const Turn& turn) {
  if (volume->As<PersistentVolume>()->phase == phase) return false;
  return Patch(volume, "status", VolumePhasePatch(*volume, phase, {}), turn);
}

void VolumeBinder::SyncVolume(const ObjectPtr& volume, const Turn& turn) {
  const auto& view = *volume->As<PersistentVolume>();
  const auto& reference = view.spec.claim_ref;
  // A volume reserved by name only is available to the claim of that name.
  if (!reference || reference->uid.empty()) {
    SetPhase(volume, "Available", turn);
    return;
  }
  const ObjectPtr claim =
      claims_.Find({std::string(reference->namespace_), std::string(reference->name)});
  // Another claim of the same name is not the one to which the volume was bound.
  if (claim != nullptr && claim->metadata().uid == reference->uid) {
    SyncReserved(volume, claim, turn);
    return;
  }
  Reclaim(volume, turn);
}

void VolumeBinder::SyncReserved(const ObjectPtr& volume, const ObjectPtr& claim, const Turn& turn) {
  const auto& view = *volume->As<PersistentVolume>();
  const auto& its = *claim->As<PersistentVolumeClaim>();
  if (its.spec.volume_name.empty()) {
    if (!match::VolumeModesDiffer(view, its)) {
      dirty_.insert(KeyOfObject(*claim));  // SyncClaim does the rest
      return;
    }
    Record(volume, EventType::Warning, "VolumeMismatch",
           "Cannot bind PersistentVolume to requested PersistentVolumeClaim " +
               GoQuote(its.metadata.name) + " due to incompatible volumeMode.",
           turn);
    Record(claim, EventType::Warning, "VolumeMismatch",
           "Cannot bind PersistentVolume " + GoQuote(view.metadata.name) +
               " to requested PersistentVolumeClaim due to incompatible volumeMode.",
           turn);
    return;
  }
  if (its.spec.volume_name == view.metadata.name) {
    SetPhase(volume, "Bound", turn);
    return;
  }
  // The claim is bound to another volume. A volume provisioned for it is useless now.
  if (view.metadata.annotations.Has(kProvisionedBy) && view.spec.reclaim_policy == "Delete") {
    Reclaim(volume, turn);
    return;
  }
  Patch(volume, {}, UnbindVolumePatch(*volume), turn);
}

void VolumeBinder::Reclaim(const ObjectPtr& volume, const Turn& turn) {
  const auto& view = *volume->As<PersistentVolume>();
  // The phase Failed is kept visible, although reclaiming is retried.
  if (view.phase != "Released" && view.phase != "Failed") {
    SetPhase(volume, "Released", turn);
    return;
  }
  const auto migrated = view.metadata.annotations.Find(kMigratedTo);
  if (migrated && !migrated->empty()) return;
  const std::string_view policy = view.spec.reclaim_policy;
  if (policy == "Retain") return;
  if (policy == "Delete") {
    DeleteVolume(volume, turn);
  } else if (policy == "Recycle") {
    FailVolume(volume, "VolumeFailedRecycle", "No recycler plugin found for the volume!", turn);
  } else {
    FailVolume(volume, "VolumeUnknownReclaimPolicy",
               "Volume has an unrecognized PersistentVolumeReclaimPolicy", turn);
  }
}

void VolumeBinder::DeleteVolume(const ObjectPtr& volume, const Turn& turn) {
  const auto& view = *volume->As<PersistentVolume>();
  if (!view.metadata.deletion_timestamp.empty()) return;
  const Deleter deleter = FindDeleter(view);
  if (deleter.who == Deleter::Who::Nobody) {
    FailVolume(volume, "VolumeFailedDelete", deleter.fault, turn);
  } else if (deleter.who == Deleter::Who::Here) {
    const Key key = KeyOfObject(*volume);
    if (!writes_.contains(key)) turn.Do(DeleteObject{Begin(key, volume), volume});
  }
}

void VolumeBinder::FailVolume(const ObjectPtr& volume, std::string_view reason,
                              const std::string& message, const Turn& turn) {
  if (volume->As<PersistentVolume>()->phase == "Failed") return;
  if (writes_.contains(KeyOfObject(*volume))) return;
  Record(volume, EventType::Warning, reason, message, turn);
  Patch(volume, "status", VolumePhasePatch(*volume, "Failed", message), turn);
}

}  // namespace plimsoll::controller
