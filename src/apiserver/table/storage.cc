#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "apiserver/table/printers.h"
#include "codec/value_at.h"

/// Volumes, claims and storage classes.
namespace plimsoll::apiserver {
namespace {

struct AccessMode {
  std::string_view name;
  std::string_view brief;
};
constexpr std::array kAccessModes = {
    AccessMode{"ReadWriteOnce", "RWO"},
    AccessMode{"ReadOnlyMany", "ROX"},
    AccessMode{"ReadWriteMany", "RWX"},
    AccessMode{"ReadWriteOncePod", "RWOP"},
};

std::string AccessModes(const Source& object, std::string_view path) {
  std::vector<std::string> modes;
  for (const AccessMode& mode : kAccessModes) {
    const bool has_it = std::ranges::any_of(object.Items(path), [&](const codec::Value& item) {
      return item.is_string() && item.text() == mode.name;
    });
    if (has_it) modes.emplace_back(mode.brief);
  }
  return Join(modes);
}

/// Returns an annotation. Its name contains dots, so Source cannot address it by path.
std::string_view Annotation(const Source& object, std::string_view name) {
  return TextAt(object.Find("metadata.annotations"), name);
}

std::string_view ClassOf(const Source& volume) {
  const std::string_view annotated = Annotation(volume, "volume.beta.kubernetes.io/storage-class");
  return annotated.empty() ? volume.Text("spec.storageClassName") : annotated;
}

std::string_view TextOr(const Source& object, std::string_view path, std::string_view missing) {
  const codec::Value* value = object.Find(path);
  return value != nullptr && value->is_string() ? value->text() : missing;
}

std::string_view Phase(const Source& volume) {
  return volume.IsBeingDeleted() ? "Terminating" : volume.Text("status.phase");
}

/// Returns a quantity as text. JSON may have it as a string or as a number.
std::string QuantityText(const Source& object, std::string_view path) {
  const codec::Value* value = object.Find(path);
  if (value == nullptr) return "";
  if (value->is_int()) return std::to_string(value->AsInt());
  return value->is_string() || value->is_number() ? std::string(value->text()) : "";
}

}  // namespace

void PrintPersistentVolume(const Source& object, Cells& cells) {
  std::string claim;
  if (object.Find("spec.claimRef") != nullptr) {
    claim = fmt::format("{}/{}", object.Text("spec.claimRef.namespace"),
                        object.Text("spec.claimRef.name"));
  }
  cells.Text(object.Name());
  cells.Text(QuantityText(object, "spec.capacity.storage"));
  cells.Text(AccessModes(object, "spec.accessModes"));
  cells.Text(object.Text("spec.persistentVolumeReclaimPolicy"));
  cells.Text(Phase(object));
  cells.Text(claim);
  cells.Text(ClassOf(object));
  cells.Text(TextOr(object, "spec.volumeAttributesClassName", "<unset>"));
  cells.Text(object.Text("status.reason"));
  cells.Text(object.Age());
  cells.Text(TextOr(object, "spec.volumeMode", "<unset>"));
}

void PrintPersistentVolumeClaim(const Source& object, Cells& cells) {
  const std::string_view volume = object.Text("spec.volumeName");
  cells.Text(object.Name());
  cells.Text(Phase(object));
  cells.Text(volume);
  cells.Text(volume.empty() ? "" : QuantityText(object, "status.capacity.storage"));
  cells.Text(volume.empty() ? "" : AccessModes(object, "status.accessModes"));
  cells.Text(ClassOf(object));
  cells.Text(TextOr(object, "spec.volumeAttributesClassName", "<unset>"));
  cells.Text(object.Age());
  cells.Text(TextOr(object, "spec.volumeMode", "<unset>"));
}

void PrintStorageClass(const Source& object, Cells& cells) {
  const bool is_default =
      Annotation(object, "storageclass.kubernetes.io/is-default-class") == "true" ||
      Annotation(object, "storageclass.beta.kubernetes.io/is-default-class") == "true";
  cells.Text(fmt::format("{}{}", object.Name(), is_default ? " (default)" : ""));
  cells.Text(object.Text("provisioner"));
  cells.Text(TextOr(object, "reclaimPolicy", "Delete"));
  cells.Text(TextOr(object, "volumeBindingMode", "Immediate"));
  cells.Bool(object.Bool("allowVolumeExpansion"));
  cells.Text(object.Age());
}

void PrintCsiNode(const Source& object, Cells& cells) {
  cells.Text(object.Name());
  cells.Int(static_cast<std::int64_t>(object.Size("spec.drivers")));
  cells.Text(object.Age());
}

void PrintCsiDriver(const Source& object, Cells& cells) {
  std::vector<std::string> audiences;
  for (const codec::Value& item : object.Items("spec.tokenRequests")) {
    audiences.emplace_back(object.In(item).Text("audience"));
  }
  std::vector<std::string> modes;
  for (const codec::Value& item : object.Items("spec.volumeLifecycleModes")) {
    if (item.is_string()) modes.emplace_back(item.text());
  }
  cells.Text(object.Name());
  cells.Bool(object.Bool("spec.attachRequired", true));
  cells.Bool(object.Bool("spec.podInfoOnMount"));
  cells.Bool(object.Bool("spec.storageCapacity"));
  cells.Text(audiences.empty() ? "<unset>" : Join(audiences));
  cells.Bool(object.Bool("spec.requiresRepublish"));
  cells.Text(modes.empty() ? "<none>" : Join(modes));
  cells.Text(object.Age());
}

void PrintVolumeAttachment(const Source& object, Cells& cells) {
  cells.Text(object.Name());
  cells.Text(object.Text("spec.attacher"));
  cells.Text(object.Text("spec.source.persistentVolumeName"));
  cells.Text(object.Text("spec.nodeName"));
  cells.Bool(object.Bool("status.attached"));
  cells.Text(object.Age());
}

}  // namespace plimsoll::apiserver
