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
  DecodeFields(
      tree, FieldTarget{F::kStorageCapacity, out.storage_capacity},
      FieldTarget{F::kPreventPodSchedulingIfMissing, out.prevent_pod_scheduling_if_missing});
}

}  // namespace

void Decode(const codec::Value& tree, TopologySelectorRequirement& out) {
  using F = fields::core_v1::TopologySelectorLabelRequirement;
  DecodeFields(tree, FieldTarget{F::kKey, out.key}, FieldTarget{F::kValues, out.values});
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
  DecodeFields(tree, FieldTarget{F::kMetadata, out.metadata},
               FieldTarget{F::kProvisioner, out.provisioner},
               FieldTarget{F::kReclaimPolicy, out.reclaim_policy},
               FieldTarget{F::kVolumeBindingMode, out.volume_binding_mode},
               FieldTarget{F::kAllowedTopologies, out.allowed_topologies});
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
  DecodeFields(tree, FieldTarget{F::kMetadata, out.metadata},
               FieldTarget{F::kStorageClassName, out.storage_class_name},
               FieldTarget{F::kCapacity, out.capacity},
               FieldTarget{F::kMaximumVolumeSize, out.maximum_volume_size},
               FieldTarget{F::kNodeTopology, out.node_topology});
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
