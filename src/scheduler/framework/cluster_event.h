#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "scheduler/cluster/pod_class.h"

namespace plimsoll::scheduler {

enum class EventResource : std::uint8_t {
  AssignedPod,
  TargetPod,  // the pending pod itself
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  StorageClass,
  CSINode,
  CSIDriver,
  CSIStorageCapacity,
  VolumeAttachment,
  ResourceClaim,
  ResourceSlice,
  DeviceClass,
  Any,  // wildcard: anything may have changed
};

/// Kind of change, as bits.
enum EventAction : std::uint32_t {
  kAdd = 1U << 0,
  kDelete = 1U << 1,
  kUpdateNodeAllocatable = 1U << 2,
  kUpdateNodeLabel = 1U << 3,
  kUpdateNodeTaint = 1U << 4,  // also a change of spec.unschedulable
  kUpdateNodeCondition = 1U << 5,
  kUpdateNodeAnnotation = 1U << 6,
  kUpdatePodLabel = 1U << 7,
  kUpdatePodScaleDown = 1U << 8,
  kUpdatePodToleration = 1U << 9,
  kUpdatePodGatesEliminated = 1U << 10,
  kUpdatePodGeneratedClaim = 1U << 11,
  kUpdateOther = 1U << 12,
  kUpdateNodeDeclaredFeature = 1U << 13,
};
using EventActions = std::uint32_t;

inline constexpr EventActions kUpdate = 0x3ffc;  // any of the updates
inline constexpr EventActions kAll = 0x3fff;

/// A change of the cluster that may make a pending pod schedulable. `old_object` is null for an
/// addition, `new_object` for a deletion.
struct ClusterEvent {
  EventResource resource = EventResource::Any;
  EventActions actions = kAll;
  std::string_view label;  // upstream's metric label: AssignedPodDelete, NodeUpdateNodeTaint …
  ObjectPtr old_object;
  ObjectPtr new_object;
};

/// Events for which a plugin wants its HintFor to be called.
struct EventInterest {
  EventResource resource;
  EventActions actions;
};

enum class Hint : std::uint8_t { Skip, Queue };

}  // namespace plimsoll::scheduler
