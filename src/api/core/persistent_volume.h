#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "api/core/node_selector.h"
#include "api/core/pod.h"
#include "api/meta/object_meta.h"

namespace plimsoll::api {

struct ObjectReference {
  std::string_view kind;
  std::string_view namespace_;
  std::string_view name;
  std::string_view uid;
};

/// `required` is unset when `nodeAffinity: {}` was written, which validation rejects.
struct VolumeNodeAffinity {
  std::optional<NodeSelector> required;

  friend bool operator==(const VolumeNodeAffinity&, const VolumeNodeAffinity&) = default;
};

struct PersistentVolumeSpec {
  ResourceList capacity;
  std::vector<std::string_view> access_modes;
  std::string_view reclaim_policy;
  std::string_view storage_class_name;
  std::string_view volume_attributes_class_name;
  std::optional<std::string_view> volume_mode;
  std::vector<std::string_view> mount_options;
  std::optional<ObjectReference> claim_ref;
  std::optional<VolumeNodeAffinity> node_affinity;
  const codec::Value* source = nullptr;  // the whole spec, including the volume source
};

struct PersistentVolume {
  ObjectMeta metadata;
  PersistentVolumeSpec spec;
  std::string_view phase;
};

struct TypedReference {
  std::string_view api_group;
  std::string_view kind;
  std::string_view name;
};

struct PersistentVolumeClaimSpec {
  std::vector<std::string_view> access_modes;
  ResourceRequirements resources;
  std::optional<LabelSelector> selector;
  std::string_view volume_name;
  std::optional<std::string_view> storage_class_name;
  std::string_view volume_attributes_class_name;
  std::optional<std::string_view> volume_mode;
  std::optional<TypedReference> data_source;
  const codec::Value* source = nullptr;
};

struct PersistentVolumeClaim {
  ObjectMeta metadata;
  PersistentVolumeClaimSpec spec;
  std::string_view phase;
  // From status: capacity and access modes of the bound volume.
  ResourceList capacity;
  std::vector<std::string_view> bound_access_modes;
};

}  // namespace plimsoll::api
