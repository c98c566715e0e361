#include "api/decode/read.h"
#include "api/schema/fields.h"

namespace plimsoll::api {

namespace {

/// `status.phase`, all that is read of a status here.
template <class F>
void DecodePhase(const codec::Value& status, std::string_view& out) {
  for (const codec::Member& member : status.members()) {
    if (member.field == F::kPhase) out = member.value.text();
  }
}

}  // namespace

void Decode(const codec::Value& tree, ObjectReference& out) {
  using F = fields::core_v1::ObjectReference;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kKind:
        Decode(value, out.kind);
        break;
      case F::kNamespace:
        Decode(value, out.namespace_);
        break;
      case F::kName:
        Decode(value, out.name);
        break;
      case F::kUid:
        Decode(value, out.uid);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, VolumeNodeAffinity& out) {
  using F = fields::core_v1::VolumeNodeAffinity;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kRequired:
        Decode(value, out.required);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, PersistentVolumeSpec& out) {
  using F = fields::core_v1::PersistentVolumeSpec;
  out.source = &tree;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kCapacity:
        Decode(value, out.capacity);
        break;
      case F::kAccessModes:
        Decode(value, out.access_modes);
        break;
      case F::kPersistentVolumeReclaimPolicy:
        Decode(value, out.reclaim_policy);
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
      case F::kMountOptions:
        Decode(value, out.mount_options);
        break;
      case F::kClaimRef:
        Decode(value, out.claim_ref);
        break;
      case F::kNodeAffinity:
        Decode(value, out.node_affinity);
        break;
      default:
        break;
    }
  }
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
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kApiGroup:
        Decode(value, out.api_group);
        break;
      case F::kKind:
        Decode(value, out.kind);
        break;
      case F::kName:
        Decode(value, out.name);
        break;
      default:
        break;
    }
  }
}

namespace {

/// A claim's resources have limits and requests, and no claims.
void DecodeVolumeResources(const codec::Value& tree, ResourceRequirements& out) {
  using F = fields::core_v1::VolumeResourceRequirements;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kRequests:
        Decode(value, out.requests);
        break;
      case F::kLimits:
        Decode(value, out.limits);
        break;
      default:
        break;
    }
  }
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
