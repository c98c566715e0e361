#include "api/decode/read.h"
#include "api/schema/fields.h"

namespace plimsoll::api {

namespace {

/// Reads `status.phase`, the only status field that is decoded here.
template <class F>
void DecodePhase(const codec::Value& status, std::string_view& out) {
  for (const codec::Member& member : status.members()) {
    if (member.field == F::kPhase) out = member.value.text();
  }
}

}  // namespace

void Decode(const codec::Value& tree, ObjectReference& out) {
  using F = fields::core_v1::ObjectReference;
  DecodeFields(tree, FieldTarget{F::kKind, out.kind}, FieldTarget{F::kNamespace, out.namespace_},
               FieldTarget{F::kName, out.name}, FieldTarget{F::kUid, out.uid});
}

void Decode(const codec::Value& tree, VolumeNodeAffinity& out) {
  using F = fields::core_v1::VolumeNodeAffinity;
  DecodeFields(tree, FieldTarget{F::kRequired, out.required});
}

void Decode(const codec::Value& tree, PersistentVolumeSpec& out) {
  using F = fields::core_v1::PersistentVolumeSpec;
  out.source = &tree;
  DecodeFields(
      tree, FieldTarget{F::kCapacity, out.capacity}, FieldTarget{F::kAccessModes, out.access_modes},
      FieldTarget{F::kPersistentVolumeReclaimPolicy, out.reclaim_policy},
      FieldTarget{F::kStorageClassName, out.storage_class_name},
      FieldTarget{F::kVolumeAttributesClassName, out.volume_attributes_class_name},
      FieldTarget{F::kVolumeMode, out.volume_mode},
      FieldTarget{F::kMountOptions, out.mount_options}, FieldTarget{F::kClaimRef, out.claim_ref},
      FieldTarget{F::kNodeAffinity, out.node_affinity});
}

void Decode(const codec::Value& tree, PersistentVolume& out) {
  using F = fields::core_v1::PersistentVolume;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kMetadata:
        Decode(value, out.metadata);
        break;
      case F::kSpec:
        Decode(value, out.spec);
        break;
      case F::kStatus:
        DecodePhase<fields::core_v1::PersistentVolumeStatus>(value, out.phase);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, TypedReference& out) {
  using F = fields::core_v1::TypedLocalObjectReference;
  DecodeFields(tree, FieldTarget{F::kApiGroup, out.api_group}, FieldTarget{F::kKind, out.kind},
               FieldTarget{F::kName, out.name});
}

namespace {

/// A claim's resources have limits and requests, but no `claims`.
void DecodeVolumeResources(const codec::Value& tree, ResourceRequirements& out) {
  using F = fields::core_v1::VolumeResourceRequirements;
  DecodeFields(tree, FieldTarget{F::kRequests, out.requests}, FieldTarget{F::kLimits, out.limits});
}

}  // namespace

void Decode(const codec::Value& tree, PersistentVolumeClaimSpec& out) {
  using F = fields::core_v1::PersistentVolumeClaimSpec;
  out.source = &tree;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kResources:
        DecodeVolumeResources(value, out.resources);
        break;
      case F::kAccessModes:
        Decode(value, out.access_modes);
        break;
      case F::kSelector:
        Decode(value, out.selector);
        break;
      case F::kVolumeName:
        Decode(value, out.volume_name);
        break;
      case F::kStorageClassName:
        Decode(value, out.storage_class_name);
        break;
      case F::kVolumeAttributesClassName:
        Decode(value, out.volume_attributes_class_name);
        break;
      case F::kVolumeMode:
        Decode(value, out.volume_mode);
        break;
      case F::kDataSource:
        Decode(value, out.data_source);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, PersistentVolumeClaim& out) {
  using F = fields::core_v1::PersistentVolumeClaim;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kMetadata:
        Decode(value, out.metadata);
        break;
      case F::kSpec:
        Decode(value, out.spec);
        break;
      case F::kStatus:
        DecodePhase<fields::core_v1::PersistentVolumeClaimStatus>(value, out.phase);
        for (const codec::Member& member : value.members()) {
          if (member.field == fields::core_v1::PersistentVolumeClaimStatus::kCapacity) {
            Decode(member.value, out.capacity);
          }
          if (member.field == fields::core_v1::PersistentVolumeClaimStatus::kAccessModes) {
            Decode(member.value, out.bound_access_modes);
          }
        }
        break;
      default:
        break;
    }
  }
}

}  // namespace plimsoll::api
