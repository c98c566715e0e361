#include "api/decode/read.h"
#include "api/schema/fields.h"

namespace plimsoll::api {

namespace {

void DecodeAllocatable(const codec::Value& tree, std::optional<std::int32_t>& out) {
  for (const codec::Member& member : tree.members()) {
    if (member.field == fields::storage_v1::VolumeNodeResources::kCount) Decode(member.value, out);
  }
}

void DecodeSource(const codec::Value& tree, VolumeAttachment& out) {
  for (const codec::Member& member : tree.members()) {
    if (member.field == fields::storage_v1::VolumeAttachmentSource::kPersistentVolumeName) {
      Decode(member.value, out.persistent_volume_name);
    }
  }
}

void DecodeSpec(const codec::Value& tree, VolumeAttachment& out) {
  using F = fields::storage_v1::VolumeAttachmentSpec;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kAttacher:
        Decode(value, out.attacher);
        break;
      case F::kNodeName:
        Decode(value, out.node_name);
        break;
      case F::kSource:
        DecodeSource(value, out);
        break;
      default:
        break;
    }
  }
}

void DecodeSpec(const codec::Value& tree, CsiDriver& out) {
  using F = fields::storage_v1::CSIDriverSpec;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kStorageCapacity:
        Decode(value, out.storage_capacity);
        break;
      case F::kPreventPodSchedulingIfMissing:
        Decode(value, out.prevent_pod_scheduling_if_missing);
        break;
      default:
        break;
    }
  }
}

}  // namespace

void Decode(const codec::Value& tree, TopologySelectorRequirement& out) {
  using F = fields::core_v1::TopologySelectorLabelRequirement;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kKey:
        Decode(value, out.key);
        break;
      case F::kValues:
        Decode(value, out.values);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, TopologySelectorTerm& out) {
  using F = fields::core_v1::TopologySelectorTerm;
  for (const codec::Member& member : tree.members()) {
    if (member.field == F::kMatchLabelExpressions) {
      Decode(member.value, out.match_label_expressions);
    }
  }
}

void Decode(const codec::Value& tree, StorageClass& out) {
  using F = fields::storage_v1::StorageClass;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kMetadata:
        Decode(value, out.metadata);
        break;
      case F::kProvisioner:
        Decode(value, out.provisioner);
        break;
      case F::kReclaimPolicy:
        Decode(value, out.reclaim_policy);
        break;
      case F::kVolumeBindingMode:
        Decode(value, out.volume_binding_mode);
        break;
      case F::kAllowedTopologies:
        Decode(value, out.allowed_topologies);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, CsiNodeDriver& out) {
  using F = fields::storage_v1::CSINodeDriver;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kName:
        Decode(value, out.name);
        break;
      case F::kAllocatable:
        DecodeAllocatable(value, out.allocatable_count);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, CsiNode& out) {
  using F = fields::storage_v1::CSINode;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kMetadata:
        Decode(value, out.metadata);
        break;
      case F::kSpec:
        for (const codec::Member& member : value.members()) {
          if (member.field == fields::storage_v1::CSINodeSpec::kDrivers) {
            Decode(member.value, out.drivers);
          }
        }
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, CsiDriver& out) {
  using F = fields::storage_v1::CSIDriver;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kMetadata:
        Decode(value, out.metadata);
        break;
      case F::kSpec:
        DecodeSpec(value, out);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, CsiStorageCapacity& out) {
  using F = fields::storage_v1::CSIStorageCapacity;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kMetadata:
        Decode(value, out.metadata);
        break;
      case F::kStorageClassName:
        Decode(value, out.storage_class_name);
        break;
      case F::kCapacity:
        Decode(value, out.capacity);
        break;
      case F::kMaximumVolumeSize:
        Decode(value, out.maximum_volume_size);
        break;
      case F::kNodeTopology:
        Decode(value, out.node_topology);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, VolumeAttachment& out) {
  using F = fields::storage_v1::VolumeAttachment;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kMetadata:
        Decode(value, out.metadata);
        break;
      case F::kSpec:
        DecodeSpec(value, out);
        break;
      default:
        break;
    }
  }
}

}  // namespace plimsoll::api
