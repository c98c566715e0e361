#include "scheduler/queue/event_label.h"

#include <array>
#include <bit>
#include <string>
#include <utility>

#include "base/assert.h"

namespace plimsoll::scheduler {
namespace {

constexpr std::array<std::string_view, 14> kResources = {
    "AssignedPod",
    "UnschedulablePod",
    "Node",
    "PersistentVolume",
    "PersistentVolumeClaim",
    "storage.k8s.io/StorageClass",
    "storage.k8s.io/CSINode",
    "storage.k8s.io/CSIDriver",
    "storage.k8s.io/CSIStorageCapacity",
    "storage.k8s.io/VolumeAttachment",
    "resource.k8s.io/ResourceClaim",
    "resource.k8s.io/ResourceSlice",
    "resource.k8s.io/DeviceClass",
    "*",
};
static_assert(kResources.size() == static_cast<std::size_t>(EventResource::Any) + 1);

constexpr std::array<std::string_view, 14> kActions = {
    "Add",
    "Delete",
    "UpdateNodeAllocatable",
    "UpdateNodeLabel",
    "UpdateNodeTaint",
    "UpdateNodeCondition",
    "UpdateNodeAnnotation",
    "UpdatePodLabel",
    "UpdatePodScaleDown",
    "UpdatePodToleration",
    "UpdatePodSchedulingGatesEliminated",
    "UpdatePodGeneratedResourceClaim",
    "Update",
    "UpdateNodeDeclaredFeature",
};
static_assert(kAll == (1U << kActions.size()) - 1);

using Labels = std::array<std::array<std::string, kActions.size()>, kResources.size()>;

Labels AllLabels() {
  Labels labels;
  for (std::size_t r = 0; r < kResources.size(); ++r) {
    for (std::size_t a = 0; a < kActions.size(); ++a) {
      labels[r][a] = std::string(kResources[r]).append(kActions[a]);
    }
  }
  return labels;
}

}  // namespace

std::string_view EventLabel(EventResource resource, EventActions action) {
  static const Labels labels = AllLabels();
  PL_ASSERT(std::has_single_bit(action) && action <= kAll);
  return labels[static_cast<std::size_t>(resource)]
               [static_cast<std::size_t>(std::countr_zero(action))];
}

ClusterEvent MakeEvent(EventResource resource, EventActions action, ObjectPtr old_object,
                       ObjectPtr new_object) {
  return {resource, action, EventLabel(resource, action), std::move(old_object),
          std::move(new_object)};
}

}  // namespace plimsoll::scheduler
