#include "scheduler/volume/attached_volume.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "api/core/volume_source.h"
#include "match/volume_claim.h"
#include "scheduler/volume/pod_claims.h"

namespace plimsoll::scheduler {
namespace {

using api::VolumeKind;

/// An in-tree volume plugin and the CSI driver that replaces it on migrated nodes.
struct MigratedPlugin {
  VolumeKind kind;
  std::string_view plugin;
  std::string_view driver;
  std::string_view source;  // field of the volume's spec
  std::string_view handle;  // field that identifies the volume
};

constexpr std::array kMigrated{
    MigratedPlugin{VolumeKind::AwsElasticBlockStore, "kubernetes.io/aws-ebs", "ebs.csi.aws.com",
                   "awsElasticBlockStore", "volumeID"},
    MigratedPlugin{VolumeKind::GcePersistentDisk, "kubernetes.io/gce-pd", "pd.csi.storage.gke.io",
                   "gcePersistentDisk", "pdName"},
    MigratedPlugin{VolumeKind::AzureDisk, "kubernetes.io/azure-disk", "disk.csi.azure.com",
                   "azureDisk", "diskURI"},
    MigratedPlugin{VolumeKind::AzureFile, "kubernetes.io/azure-file", "file.csi.azure.com",
                   "azureFile", "shareName"},
    MigratedPlugin{VolumeKind::Cinder, "kubernetes.io/cinder", "cinder.csi.openstack.org", "cinder",
                   "volumeID"},
    MigratedPlugin{VolumeKind::VsphereVolume, "kubernetes.io/vsphere-volume",
                   "csi.vsphere.vmware.com", "vsphereVolume", "volumePath"},
    MigratedPlugin{VolumeKind::PortworxVolume, "kubernetes.io/portworx-volume", "pxd.portworx.com",
                   "portworxVolume", "volumeID"},
};

/// Searches the node's annotation, which has the form `a,b`.
bool IsMigratedOn(const api::CsiNode* csi_node, std::string_view plugin) {
  if (csi_node == nullptr) return false;
  std::string_view names =
      csi_node->metadata.annotations.Find("storage.alpha.kubernetes.io/migrated-plugins")
          .value_or(std::string_view());
  while (!names.empty()) {
    const std::size_t end = names.find(',');
    if (names.substr(0, end) == plugin) return true;
    if (end == std::string_view::npos) break;
    names.remove_prefix(end + 1);
  }
  return false;
}

struct Attached {
  std::string_view driver;
  std::string handle;
};

void Add(const Attached& volume, AttachedVolumes& out) {
  if (volume.driver.empty() || volume.handle.empty()) return;
  out.try_emplace(std::string(volume.driver) + "/" + volume.handle, volume.driver);
}

/// A volume that is not provisioned yet counts as a separate volume of the class's provisioner.
Attached FromClass(const ClusterState& cluster, const api::PersistentVolumeClaim& claim,
                   const api::CsiNode* csi_node) {
  const ObjectPtr found = cluster.storage_classes.Find({}, match::ClassOf(claim));
  if (found == nullptr) return {};
  std::string_view driver = found->As<api::StorageClass>()->provisioner;
  const auto* const plugin = std::ranges::find(kMigrated, driver, &MigratedPlugin::plugin);
  if (plugin != kMigrated.end()) {
    if (!IsMigratedOn(csi_node, driver)) return {};
    driver = plugin->driver;
  }
  // No driver's volume handle contains a blank, so this key cannot clash with a real volume.
  return {driver, "unbound " + std::string(claim.metadata.namespace_) + "/" +
                      std::string(claim.metadata.name)};
}

Attached FromClaim(const ClusterState& cluster, const api::PersistentVolumeClaim& claim,
                   const api::CsiNode* csi_node) {
  const ObjectPtr object =
      claim.spec.volume_name.empty() ? nullptr : cluster.volumes.Find({}, claim.spec.volume_name);
  if (object == nullptr) return FromClass(cluster, claim, csi_node);
  const api::PersistentVolumeSpec& spec = object->As<api::PersistentVolume>()->spec;
  if (const codec::Value* csi = api::FindSource(spec, "csi")) {
    return {api::SourceText(csi, "driver"), std::string(api::SourceText(csi, "volumeHandle"))};
  }
  for (const MigratedPlugin& plugin : kMigrated) {
    const codec::Value* source = api::FindSource(spec, plugin.source);
    if (source == nullptr || !IsMigratedOn(csi_node, plugin.plugin)) continue;
    return {plugin.driver, std::string(api::SourceText(source, plugin.handle))};
  }
  return {};
}

void AddInline(const api::Volume& volume, const api::CsiNode* csi_node, AttachedVolumes& out) {
  const auto* const plugin = std::ranges::find(kMigrated, volume.kind, &MigratedPlugin::kind);
  if (plugin == kMigrated.end() || !IsMigratedOn(csi_node, plugin->plugin)) return;
  Add({plugin->driver, std::string(api::SourceText(volume.disk, plugin->handle))}, out);
}

}  // namespace

bool MayBeAttached(const api::Volume& volume) {
  return HasClaim(volume) ||
         std::ranges::find(kMigrated, volume.kind, &MigratedPlugin::kind) != kMigrated.end();
}

Status AddAttachedVolumes(const ClusterState& cluster, const api::Pod& pod,
                          const api::CsiNode* csi_node, bool is_new, AttachedVolumes& out) {
  for (const api::Volume& volume : pod.spec.volumes) {
    if (!HasClaim(volume)) {
      AddInline(volume, csi_node, out);
      continue;
    }
    const std::string name = ClaimName(pod, volume);
    const ObjectPtr object = cluster.claims.Find(pod.metadata.namespace_, name);
    if (object == nullptr) {
      if (!is_new) continue;
      return Fail(Reason::NotFound, "looking up PVC " + std::string(pod.metadata.namespace_) + "/" +
                                        name + ": " + NotFoundText("persistentvolumeclaim", name));
    }
    const auto& claim = *object->As<api::PersistentVolumeClaim>();
    if (volume.kind == VolumeKind::Ephemeral) {
      std::string fault = OwnershipFault(pod, claim);
      if (!fault.empty()) return Fail(Reason::Invalid, std::move(fault));
    }
    Add(FromClaim(cluster, claim, csi_node), out);
  }
  return {};
}

void AddAttachment(const ClusterState& cluster, const api::Object& attachment,
                   AttachedVolumes& out) {
  const auto& view = *attachment.As<api::VolumeAttachment>();
  if (view.attacher.empty() || view.persistent_volume_name.empty()) return;
  const ObjectPtr volume = cluster.volumes.Find({}, view.persistent_volume_name);
  if (volume == nullptr) return;
  const codec::Value* csi = api::FindSource(volume->As<api::PersistentVolume>()->spec, "csi");
  Add({view.attacher, std::string(api::SourceText(csi, "volumeHandle"))}, out);
}

}  // namespace plimsoll::scheduler
