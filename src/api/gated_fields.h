#pragma once

#include <array>
#include <optional>
#include <string_view>

#include "api/feature_gates.h"

/// Fields that the server drops from a write while their feature is off; a part of KindHooks.
namespace plimsoll::api {

/// `path` leads from the object to the parents of the field. Lists are traversed implicitly; `*`
/// means all values of a map.
struct GatedField {
  std::optional<Feature> feature;  // unset: alpha upstream and not implemented here
  std::string_view path;
  std::string_view field;
};

inline constexpr std::array kGatedFieldsOfSlice = {
    GatedField{Feature::DRADeviceTaints, "spec", "taints"},
    GatedField{Feature::DRADeviceTaints, "spec.devices", "taints"},
    GatedField{Feature::DRAConsumableCapacity, "spec.devices", "allowMultipleAllocations"},
    GatedField{Feature::DRAConsumableCapacity, "spec.devices.capacity.*", "requestPolicy"},
    GatedField{Feature::DRADeviceBindingConditions, "spec.devices", "bindsToNode"},
    GatedField{Feature::DRADeviceBindingConditions, "spec.devices", "bindingConditions"},
    GatedField{Feature::DRADeviceBindingConditions, "spec.devices", "bindingFailureConditions"},
    GatedField{Feature::DRAPartitionableDevices, "spec", "sharedCounters"},
    GatedField{Feature::DRAPartitionableDevices, "spec", "perDeviceNodeSelection"},
    GatedField{Feature::DRAPartitionableDevices, "spec.devices", "consumesCounters"},
    GatedField{Feature::DRAPartitionableDevices, "spec.devices", "nodeName"},
    GatedField{Feature::DRAPartitionableDevices, "spec.devices", "nodeSelector"},
    GatedField{Feature::DRAPartitionableDevices, "spec.devices", "allNodes"},
    GatedField{{}, "spec", "partitionTypeAttribute"},
    GatedField{{}, "spec", "skipNodeOperations"},
    GatedField{{}, "spec.devices", "nodeAllocatableResources"},
    GatedField{{}, "spec.devices.consumesCounters", "compatibilityGroups"},
    GatedField{{}, "spec.devices.attributes.*", "bools"},
    GatedField{{}, "spec.devices.attributes.*", "ints"},
    GatedField{{}, "spec.devices.attributes.*", "strings"},
    GatedField{{}, "spec.devices.attributes.*", "versions"},
};

inline constexpr std::string_view kExactly = "spec.devices.requests.exactly";
inline constexpr std::string_view kAlternatives = "spec.devices.requests.firstAvailable";

/// The paths start at a claim, or at the `spec` of a template.
inline constexpr std::array kGatedFieldsOfClaim = {
    GatedField{Feature::DRADeviceTaints, kExactly, "tolerations"},
    GatedField{Feature::DRADeviceTaints, kAlternatives, "tolerations"},
    GatedField{Feature::DRAConsumableCapacity, kExactly, "capacity"},
    GatedField{Feature::DRAConsumableCapacity, kAlternatives, "capacity"},
    GatedField{Feature::DRAConsumableCapacity, "spec.devices.constraints", "distinctAttribute"},
    GatedField{{}, kExactly, "derivedAttributes"},
    GatedField{{}, kAlternatives, "derivedAttributes"},
};

inline constexpr std::array kGatedFieldsOfPod = {
    GatedField{Feature::EvictionRequestAPI, "spec", "evictionResponders"},
};

}  // namespace plimsoll::api
