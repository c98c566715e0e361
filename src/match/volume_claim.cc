#include "match/volume_claim.h"

#include <algorithm>
#include <string>

#include "base/go_text.h"

namespace plimsoll::match {
namespace {

constexpr std::string_view kClassAnnotation = "volume.beta.kubernetes.io/storage-class";

Quantity StorageIn(const api::ResourceList& list) {
  const auto found = std::ranges::find(list, "storage", &api::ResourceAmount::name);
  return found == list.end() ? Quantity() : found->quantity;
}

std::string_view ModeOr(const std::optional<std::string_view>& mode) {
  return mode.value_or("Filesystem");
}

}  // namespace

std::string_view ClassOf(const api::PersistentVolume& volume) {
  return volume.metadata.annotations.Find(kClassAnnotation)
      .value_or(volume.spec.storage_class_name);
}

std::string_view ClassOf(const api::PersistentVolumeClaim& claim) {
  return claim.metadata.annotations.Find(kClassAnnotation)
      .value_or(claim.spec.storage_class_name.value_or(std::string_view()));
}

Quantity StorageOf(const api::PersistentVolume& volume) { return StorageIn(volume.spec.capacity); }

Quantity StorageOf(const api::PersistentVolumeClaim& claim) {
  return StorageIn(claim.spec.resources.requests);
}

bool IsFullyBound(const api::PersistentVolumeClaim& claim) {
  return !claim.spec.volume_name.empty() && claim.metadata.annotations.Has(kBindCompleted);
}

bool RefersTo(const api::ObjectReference& reference, const api::PersistentVolumeClaim& claim) {
  return reference.name == claim.metadata.name &&
         reference.namespace_ == claim.metadata.namespace_ &&
         (reference.uid.empty() || reference.uid == claim.metadata.uid);
}

bool HasAccessModes(const api::PersistentVolume& volume, const api::PersistentVolumeClaim& claim) {
  return std::ranges::all_of(claim.spec.access_modes, [&](std::string_view mode) {
    return std::ranges::find(volume.spec.access_modes, mode) != volume.spec.access_modes.end();
  });
}

bool VolumeModesDiffer(const api::PersistentVolume& volume,
                       const api::PersistentVolumeClaim& claim) {
  return ModeOr(volume.spec.volume_mode) != ModeOr(claim.spec.volume_mode);
}

std::string ClaimRefPatch(const api::Object& volume, const api::Object& claim) {
  const auto& reference = volume.As<api::PersistentVolume>()->spec.claim_ref;
  const api::ObjectMeta& to = claim.metadata();
  std::string patch =
      R"({"metadata":{"resourceVersion":)" + GoJsonQuote(volume.metadata().resource_version);
  if (!reference || !RefersTo(*reference, *claim.As<api::PersistentVolumeClaim>())) {
    patch += R"(,"annotations":{)" + GoJsonQuote(kBoundByController) + R"(:"yes"})";
  }
  return patch + R"(},"spec":{"claimRef":{"apiVersion":"v1","kind":"PersistentVolumeClaim",)" +
         R"("namespace":)" + GoJsonQuote(to.namespace_) + R"(,"name":)" + GoJsonQuote(to.name) +
         R"(,"uid":)" + GoJsonQuote(to.uid) + R"(,"resourceVersion":)" +
         GoJsonQuote(to.resource_version) + "}}}";
}

ClaimMatcher::ClaimMatcher(const api::PersistentVolumeClaim& claim)
    : claim_(&claim), storage_(StorageOf(claim)), class_name_(ClassOf(claim)) {}

Result<ClaimMatcher> ClaimMatcher::Make(const api::PersistentVolumeClaim& claim) {
  ClaimMatcher matcher(claim);
  if (!claim.spec.selector) return matcher;
  Result<api::Selector> selector = api::Selector::FromObject(&*claim.spec.selector);
  if (!selector) {
    return Fail(Reason::Invalid, "error creating internal label selector for claim: " +
                                     std::string(claim.metadata.namespace_) + "/" +
                                     std::string(claim.metadata.name) + ": " +
                                     selector.error().message);
  }
  matcher.selector_ = *std::move(selector);
  return matcher;
}

Fit ClaimMatcher::Check(const api::PersistentVolume& volume,
                        const std::optional<api::ObjectReference>& claim_ref) const {
  const bool is_reserved = claim_ref && RefersTo(*claim_ref, *claim_);
  if (claim_ref && !is_reserved) return Fit::No;
  if (StorageOf(volume).Compare(storage_) < 0 || VolumeModesDiffer(volume, *claim_)) {
    return Fit::No;
  }
  if (volume.spec.volume_attributes_class_name != claim_->spec.volume_attributes_class_name) {
    return Fit::No;
  }
  if (!volume.metadata.deletion_timestamp.empty()) return Fit::No;
  // A volume that was reserved for this claim is accepted regardless of its class and
  // labels.
  if (is_reserved) return Fit::Reserved;
  if (volume.phase != "Available" || ClassOf(volume) != class_name_) return Fit::No;
  if (selector_ && !selector_->Matches(volume.metadata.labels)) return Fit::No;
  return Fit::Free;
}

}  // namespace plimsoll::match
