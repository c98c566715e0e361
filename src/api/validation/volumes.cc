#include "api/validation/volumes.h"

#include <algorithm>
#include <array>

#include "api/validation/field_checks.h"
#include "codec/value.h"

namespace plimsoll::api {
namespace {

/// A volume source and its required field.
struct VolumeSource {
  std::string_view name;
  std::string_view required;
};

// In upstream's order.
constexpr std::array kSources = std::to_array<VolumeSource>({
    {"emptyDir", ""},
    {"hostPath", "path"},
    {"gitRepo", "repository"},
    {"gcePersistentDisk", "pdName"},
    {"awsElasticBlockStore", "volumeID"},
    {"secret", "secretName"},
    {"nfs", "server"},
    {"iscsi", "targetPortal"},
    {"glusterfs", "endpoints"},
    {"persistentVolumeClaim", "claimName"},
    {"rbd", "image"},
    {"cinder", "volumeID"},
    {"cephfs", "monitors"},
    {"flocker", ""},
    {"downwardAPI", ""},
    {"fc", ""},
    {"azureFile", "secretName"},
    {"flexVolume", "driver"},
    {"configMap", "name"},
    {"vsphereVolume", "volumePath"},
    {"quobyte", "registry"},
    {"azureDisk", "diskName"},
    {"storageos", ""},
    {"photonPersistentDisk", "pdID"},
    {"portworxVolume", "volumeID"},
    {"scaleIO", "gateway"},
    {"projected", ""},
    {"csi", "driver"},
    {"ephemeral", "volumeClaimTemplate"},
    {"image", ""},
});

bool IsSet(const codec::Value* value) {
  if (value == nullptr || value->is_null()) return false;
  return !value->is_string() || !value->text().empty();
}

void ValidateRequired(const VolumeSource& source, const codec::Value& value, const FieldPath& at,
                      FieldErrors& errors) {
  if (source.required.empty() || IsSet(value.Find(source.required))) return;
  const FieldPath source_path = at / source.name;
  errors.Required(source_path / source.required, "");
}

void ReportMoreThanOne(const codec::Value& volume, const FieldPath& at, FieldErrors& errors) {
  bool is_first = true;
  for (const VolumeSource& source : kSources) {
    const codec::Value* value = volume.Find(source.name);
    if (value == nullptr || value->is_null()) continue;
    if (is_first) {
      ValidateRequired(source, *value, at, errors);
    } else {
      errors.Forbidden(at / source.name, "may not specify more than 1 volume type");
    }
    is_first = false;
  }
}

/// Most volumes have only a name and one source. The order of the sources
/// matters only if there are more.
void ValidateSource(const codec::Value& volume, const FieldPath& at, FieldErrors& errors) {
  const VolumeSource* source = nullptr;
  const codec::Value* value = nullptr;
  for (const codec::Member& member : volume.members()) {
    if (member.key == "name" || member.value.is_null()) continue;
    const auto found = std::ranges::find(kSources, member.key, &VolumeSource::name);
    if (found == kSources.end()) continue;
    if (source != nullptr) return ReportMoreThanOne(volume, at, errors);
    source = &*found;
    value = &member.value;
  }
  if (source == nullptr) return errors.Required(at, "must specify a volume type");
  ValidateRequired(*source, *value, at, errors);
}

}  // namespace

void ValidateVolumes(std::span<const Volume> volumes, const FieldPath& at, SeenTexts& valid,
                     FieldErrors& errors) {
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const Volume& volume = volumes[i];
    const FieldPath volume_path = at[i];
    const FieldPath name_path = volume_path / "name";
    const std::size_t errors_before = errors.size();
    if (volume.source != nullptr) ValidateSource(*volume.source, volume_path, errors);
    if (volume.name.empty()) {
      errors.Required(name_path, "");
    } else {
      AddFaults(name_path, volume.name, CheckDns1123Label(volume.name), errors);
    }
    if (valid.Has(volume.name)) errors.Duplicate(name_path, BadValue::String(volume.name));
    if (errors.size() == errors_before) valid.Insert(volume.name);
  }
}

void ValidateVolumeMounts(std::span<const VolumeMount> mounts, const SeenTexts& volumes,
                          const FieldPath& at, FieldErrors& errors) {
  SeenTexts paths;
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    const VolumeMount& mount = mounts[i];
    const FieldPath mount_path = at[i];
    const FieldPath name_path = mount_path / "name";
    const FieldPath target_path = mount_path / "mountPath";
    if (mount.name.empty()) errors.Required(name_path, "");
    if (!volumes.Has(mount.name)) errors.NotFound(name_path, BadValue::String(mount.name));
    if (mount.mount_path.empty()) errors.Required(target_path, "");
    if (!paths.Insert(mount.mount_path)) {
      errors.Invalid(target_path, mount.mount_path, "must be unique");
    }
  }
}

}  // namespace plimsoll::api
