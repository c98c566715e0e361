#include "api/validation/persistent_volume_claim.h"

#include <string>
#include <vector>

#include "api/validation/field_checks.h"
#include "api/validation/labels.h"
#include "api/validation/object_meta.h"
#include "api/validation/resources.h"
#include "api/validation/semantic_diff.h"
#include "api/validation/storage_checks.h"
#include "codec/value.h"

namespace plimsoll::api {
namespace {

constexpr FieldPath kMetadata("metadata");
constexpr FieldPath kSpec("spec");
constexpr std::string_view kClassAnnotation = "volume.beta.kubernetes.io/storage-class";

struct Leniency {
  bool invalid_selector_values = false;
  bool invalid_api_group = false;
};

void ValidateStorage(const PersistentVolumeClaimSpec& spec, FieldErrors& errors) {
  static constexpr FieldPath kResources = kSpec / "resources";
  const FieldPath storage_path = kResources.Key("storage");
  const ResourceAmount* storage = FindAmount(spec.resources.requests, "storage");
  if (storage == nullptr) return errors.Required(storage_path, "");
  if (storage->quantity.sign() <= 0) {
    errors.Invalid(storage_path, storage->quantity.Text(), "must be greater than zero");
  }
}

void ValidateDataSource(const TypedReference& source, bool allow_invalid_group,
                        FieldErrors& errors) {
  static constexpr FieldPath kDataSource = kSpec / "dataSource";
  if (source.name.empty()) errors.Required(kDataSource / "name", "");
  if (source.kind.empty()) errors.Required(kDataSource / "kind", "");
  if (source.api_group.empty()) {
    if (source.kind == "PersistentVolumeClaim") return;
    return errors.Invalid(kDataSource, source.kind,
                          "must be 'PersistentVolumeClaim' when referencing the default apiGroup");
  }
  if (allow_invalid_group) return;
  AddFaults(kDataSource / "apiGroup", source.api_group, CheckDns1123Subdomain(source.api_group),
            errors);
}

void Validate(const PersistentVolumeClaim& claim, const Leniency& leniency, FieldErrors& errors) {
  const PersistentVolumeClaimSpec& spec = claim.spec;
  ValidateObjectMeta(claim.metadata, Scope::Namespaced, NameRule::Dns1123Subdomain, kMetadata,
                     errors);
  static constexpr FieldPath kAccessModes = kSpec / "accessModes";
  if (spec.access_modes.empty()) {
    errors.Required(kAccessModes, "at least 1 access mode is required");
  }
  if (spec.selector) {
    ValidateLabelSelector(*spec.selector, leniency.invalid_selector_values, kSpec / "selector",
                          errors);
  }
  ValidateAccessModes(spec.access_modes, kAccessModes, errors);
  ValidateStorage(spec, errors);
  if (spec.storage_class_name && !spec.storage_class_name->empty()) {
    AddFaults(kSpec / "storageClassName", *spec.storage_class_name,
              CheckDns1123Subdomain(*spec.storage_class_name), errors);
  }
  ValidateVolumeMode(spec.volume_mode, kSpec / "volumeMode", errors);
  if (spec.data_source) ValidateDataSource(*spec.data_source, leniency.invalid_api_group, errors);
}

/// The class may move from the old annotation to the field, or be set where there was none.
bool MaySetClass(const PersistentVolumeClaim& now, const PersistentVolumeClaim& before) {
  if (before.spec.storage_class_name || !now.spec.storage_class_name) return false;
  const auto annotation = before.metadata.annotations.Find(kClassAnnotation);
  return !annotation || annotation == now.spec.storage_class_name;
}

void ValidateClassAnnotation(const PersistentVolumeClaim& now, const PersistentVolumeClaim& before,
                             FieldErrors& errors) {
  const auto new_class = now.metadata.annotations.Find(kClassAnnotation);
  const auto old_class = before.metadata.annotations.Find(kClassAnnotation);
  const bool has_moved = old_class && !before.spec.storage_class_name &&
                         now.spec.storage_class_name == old_class &&
                         (!new_class || new_class == old_class);
  if (has_moved || new_class.value_or("") == old_class.value_or("")) return;
  static constexpr FieldPath kAnnotations = kMetadata / "annotations";
  errors.Invalid(kAnnotations.Key(kClassAnnotation), new_class.value_or(""), "field is immutable");
}

void ValidateRestUnchanged(const PersistentVolumeClaim& now, const PersistentVolumeClaim& before,
                           FieldErrors& errors) {
  std::vector<std::string_view> ignored;
  if (before.spec.volume_name.empty()) ignored.push_back("volumeName");
  if (MaySetClass(now, before)) ignored.push_back("storageClassName");
  if (now.phase == "Bound") {
    ignored.push_back("resources.requests.storage");
    const codec::Value* class_name =
        now.spec.source != nullptr ? now.spec.source->Find("volumeAttributesClassName") : nullptr;
    if (class_name != nullptr) ignored.push_back("volumeAttributesClassName");
  }
  const std::vector<Difference> differences =
      Differences(before.spec.source, now.spec.source, ignored);
  if (differences.empty()) return;
  errors.Forbidden(kSpec,
                   "spec is immutable after creation except resources.requests and "
                   "volumeAttributesClassName for bound claims\n" +
                       DescribeDifferences(differences, "spec"));
}

/// A failed expansion may be reverted, but not below the volume's capacity.
void ValidateSizeUpdate(const PersistentVolumeClaim& now, const PersistentVolumeClaim& before,
                        FieldErrors& errors) {
  const auto size = [](const ResourceList& list) {
    const ResourceAmount* storage = FindAmount(list, "storage");
    return storage != nullptr ? storage->quantity : Quantity();
  };
  const Quantity wanted = size(now.spec.resources.requests);
  if (wanted.Compare(size(before.spec.resources.requests)) >= 0 ||
      wanted.Compare(size(before.capacity)) > 0) {
    return;
  }
  static constexpr FieldPath kResources = kSpec / "resources";
  static constexpr FieldPath kRequests = kResources / "requests";
  errors.Forbidden(kRequests / "storage", "field can not be less than status.capacity");
}

}  // namespace

FieldErrors ValidatePersistentVolumeClaimCreate(const PersistentVolumeClaim& claim) {
  FieldErrors errors;
  Validate(claim, {}, errors);
  return errors;
}

FieldErrors ValidatePersistentVolumeClaimUpdate(const PersistentVolumeClaim& now,
                                                const PersistentVolumeClaim& before) {
  const Leniency leniency{
      .invalid_selector_values = before.spec.selector && HasFault(*before.spec.selector),
      .invalid_api_group = before.spec.data_source && !before.spec.data_source->api_group.empty()};
  FieldErrors errors;
  ValidateObjectMetaUpdate(now.metadata, before.metadata, kMetadata, errors);
  Validate(now, leniency, errors);
  ValidateClassAnnotation(now, before, errors);
  ValidateRestUnchanged(now, before, errors);
  ValidateSizeUpdate(now, before, errors);
  ValidateVolumeModeUpdate(now.spec.volume_mode, before.spec.volume_mode, errors);
  return errors;
}

}  // namespace plimsoll::api
