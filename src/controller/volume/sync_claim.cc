#include <algorithm>
#include <utility>

#include "base/go_text.h"
#include "controller/volume/volume_binder.h"
#include "controller/volume/volume_patch.h"
#include "match/volume_claim.h"

/// Sync of a claim.
namespace plimsoll::controller {
namespace {

using api::PersistentVolume;
using api::PersistentVolumeClaim;

/// Returns why the claim cannot use the volume that it names, or "" if it can.
std::string Mismatch(const PersistentVolume& volume, const PersistentVolumeClaim& claim) {
  if (!volume.metadata.deletion_timestamp.empty()) {
    return "the volume is marked for deletion " + GoQuote(volume.metadata.name);
  }
  if (match::StorageOf(volume).Value() < match::StorageOf(claim).Value()) {
    return "requested PV is too small";
  }
  if (match::ClassOf(volume) != match::ClassOf(claim)) return "storageClassName does not match";
  if (volume.spec.volume_attributes_class_name != claim.spec.volume_attributes_class_name) {
    return "volumeAttributesClassName does not match";
  }
  if (match::VolumeModesDiffer(volume, claim)) return "incompatible volumeMode";
  if (!match::HasAccessModes(volume, claim)) return "incompatible accessMode";
  return {};
}

bool IsDefault(const api::StorageClass& storage_class) {
  const auto is_set = [&](std::string_view key) {
    return storage_class.metadata.annotations.Find(key) == "true";
  };
  return is_set("storageclass.kubernetes.io/is-default-class") ||
         is_set("storageclass.beta.kubernetes.io/is-default-class");
}

}  // namespace

void VolumeBinder::SyncClaim(const ObjectPtr& claim, const Turn& turn) {
  if (claim->metadata().annotations.Has(match::kBindCompleted)) {
    SyncBound(claim, turn);
  } else {
    SyncUnbound(claim, turn);
  }
}

bool VolumeBinder::SetStatus(const ObjectPtr& claim, std::string_view phase,
                             const ObjectPtr& volume, const Turn& turn) {
  const PersistentVolume* view = volume == nullptr ? nullptr : volume->As<PersistentVolume>();
  return Patch(claim, "status", ClaimStatusPatch(*claim, phase, view), turn);
}

/// Takes the next steps of the binding protocol. A step that depends on a write waits for the watch
/// event of that write.
void VolumeBinder::Bind(const ObjectPtr& volume, const ObjectPtr& claim, const Turn& turn) {
  const auto& reference = volume->As<PersistentVolume>()->spec.claim_ref;
  const bool is_taken = reference && reference->uid == claim->metadata().uid &&
                        match::RefersTo(*reference, *claim->As<PersistentVolumeClaim>());
  if (!is_taken) {
    if (writes_.contains(KeyOfObject(*volume))) return;
    Patch(volume, {}, match::ClaimRefPatch(*volume, *claim), turn);
    volumes_.Assume(volume->metadata().name, KeyOf(claim->metadata()), claim->metadata().uid);
    return;
  }
  SetPhase(volume, "Bound", turn);
  if (Patch(claim, {}, BindClaimPatch(*claim, volume->metadata().name), turn)) return;
  SetStatus(claim, "Bound", volume, turn);
}

void VolumeBinder::SyncUnbound(const ObjectPtr& claim, const Turn& turn) {
  const std::string_view name = claim->As<PersistentVolumeClaim>()->spec.volume_name;
  if (name.empty()) {
    FindVolume(claim, turn);
  } else if (const ObjectPtr volume = volumes_.Find(name)) {
    SyncNamed(claim, volume, turn);
  } else {
    SetStatus(claim, "Pending", nullptr, turn);  // the volume may be created later
  }
}

void VolumeBinder::SyncNamed(const ObjectPtr& claim, const ObjectPtr& volume, const Turn& turn) {
  const auto& view = *claim->As<PersistentVolumeClaim>();
  const auto& its = *volume->As<PersistentVolume>();
  if (!its.spec.claim_ref) {
    const std::string fault = Mismatch(its, view);
    if (fault.empty()) {
      Bind(volume, claim, turn);
      return;
    }
    Record(claim, EventType::Warning, "VolumeMismatch",
           "Cannot bind to requested volume \"" + std::string(its.metadata.name) + "\": " + fault,
           turn);
    SetStatus(claim, "Pending", nullptr, turn);
    return;
  }
  if (match::RefersTo(*its.spec.claim_ref, view)) {
    Bind(volume, claim, turn);
    return;
  }
  Record(claim, EventType::Warning, "FailedBinding",
         "volume " + GoQuote(its.metadata.name) + " already bound to a different claim.", turn);
  SetStatus(claim, "Pending", nullptr, turn);
}

void VolumeBinder::FindVolume(const ObjectPtr& claim, const Turn& turn) {
  const auto& view = *claim->As<PersistentVolumeClaim>();
  const api::StorageClass* storage_class = FindClass(match::ClassOf(view));
  const bool is_delayed = storage_class != nullptr &&
                          storage_class->volume_binding_mode == match::kWaitForFirstConsumer;
  const auto matcher = match::ClaimMatcher::Make(view);
  // Validation rejects such a selector; a claim that has one waits until it is changed.
  if (!matcher) return;
  if (const ObjectPtr volume = volumes_.FindBest(*matcher, is_delayed)) {
    Bind(volume, claim, turn);
  } else {
    WaitForVolume(claim, is_delayed, turn);
  }
}

void VolumeBinder::WaitForVolume(const ObjectPtr& claim, bool is_delayed, const Turn& turn) {
  const auto& view = *claim->As<PersistentVolumeClaim>();
  if (AssignDefaultClass(claim, turn)) return;
  if (is_delayed && !view.metadata.annotations.Has(match::kSelectedNode)) {
    std::string_view reason;
    std::string text = WaitingText(KeyOf(view.metadata), reason);
    Record(claim, EventType::Normal, reason, std::move(text), turn);
  } else if (!match::ClassOf(view).empty()) {
    AskForVolume(claim, turn);
    return;
  } else {
    Record(claim, EventType::Normal, "FailedBinding",
           "no persistent volumes available for this claim and no storage class is set", turn);
  }
  SetStatus(claim, "Pending", nullptr, turn);
}

std::string VolumeBinder::WaitingText(const ClaimKey& claim, std::string_view& reason) const {
  const std::vector<std::string> pods = claims_.WaitingPods(claim);
  if (pods.empty()) {
    reason = "WaitForFirstConsumer";
    return "waiting for first consumer to be created before binding";
  }
  reason = "WaitForPodScheduled";
  std::string names;
  for (const std::string& pod : pods) names += (names.empty() ? "" : ",") + pod;
  return (pods.size() > 1 ? "waiting for pods " : "waiting for pod ") + names + " to be scheduled";
}

/// Sets the provisioner annotation, for an external provisioner. There is none in this process.
void VolumeBinder::AskForVolume(const ObjectPtr& claim, const Turn& turn) {
  const std::string_view class_name = match::ClassOf(*claim->As<PersistentVolumeClaim>());
  const api::StorageClass* storage_class = FindClass(class_name);
  if (storage_class == nullptr) {
    Record(claim, EventType::Warning, "ProvisioningFailed",
           "storageclass.storage.k8s.io " + GoQuote(class_name) + " not found", turn);
    return;
  }
  const std::string provisioner(storage_class->provisioner);
  if (provisioner.starts_with("kubernetes.io/")) {
    Record(claim, EventType::Warning, "ProvisioningFailed",
           "no volume plugin matched name: " + provisioner, turn);
    return;
  }
  Patch(claim, {}, ProvisionerPatch(*claim, provisioner), turn);
  Record(claim, EventType::Normal, "ExternalProvisioning",
         "Waiting for a volume to be created either by the external provisioner '" + provisioner +
             "' or manually by the system administrator. If volume creation is delayed, please "
             "verify that the provisioner is running and correctly registered.",
         turn);
}

/// Sets the default class, if there is one, on a claim that has no storageClassName at all.
bool VolumeBinder::AssignDefaultClass(const ObjectPtr& claim, const Turn& turn) {
  const auto& view = *claim->As<PersistentVolumeClaim>();
  if (view.spec.storage_class_name || !match::ClassOf(view).empty()) return false;
  const api::StorageClass* best = nullptr;
  for (const auto& [name, object] : classes_) {
    const auto* candidate = object->As<api::StorageClass>();
    // The newest one wins. API times can be compared as text.
    if (IsDefault(*candidate) && (best == nullptr || candidate->metadata.creation_timestamp >
                                                         best->metadata.creation_timestamp)) {
      best = candidate;
    }
  }
  return best != nullptr && Patch(claim, {}, StorageClassPatch(*claim, best->metadata.name), turn);
}

void VolumeBinder::Lose(const ObjectPtr& claim, std::string_view reason, std::string message,
                        const Turn& turn) {
  const bool is_news = claim->As<PersistentVolumeClaim>()->phase != "Lost";
  if (is_news) Record(claim, EventType::Warning, reason, std::move(message), turn);
  SetStatus(claim, "Lost", nullptr, turn);
}

void VolumeBinder::SyncBound(const ObjectPtr& claim, const Turn& turn) {
  const std::string_view name = claim->As<PersistentVolumeClaim>()->spec.volume_name;
  if (name.empty()) {
    Lose(claim, "ClaimLost",
         "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!", turn);
    return;
  }
  const ObjectPtr volume = volumes_.Find(name);
  if (volume == nullptr) {
    Lose(claim, "ClaimLost",
         "Bound claim has lost its PersistentVolume. Data on the volume is lost!", turn);
    return;
  }
  const auto& reference = volume->As<PersistentVolume>()->spec.claim_ref;
  if (reference && reference->uid != claim->metadata().uid) {
    Lose(claim, "ClaimMisbound",
         "Two claims are bound to the same volume, this one is bound incorrectly", turn);
    return;
  }
  Bind(volume, claim, turn);
}

}  // namespace plimsoll::controller
