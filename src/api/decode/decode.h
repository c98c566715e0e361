#pragma once

#include "api/apps/workload.h"
#include "api/core/node.h"
#include "api/core/node_selector.h"
#include "api/core/persistent_volume.h"
#include "api/core/pod.h"
#include "api/core/taint.h"
#include "api/core/toleration.h"
#include "api/meta/label_selector.h"
#include "api/meta/object_meta.h"
#include "api/policy/pod_disruption_budget.h"
#include "api/resource/device_class.h"
#include "api/resource/device_taint_rule.h"
#include "api/resource/resource_claim.h"
#include "api/resource/resource_slice.h"
#include "api/storage/csi.h"
#include "api/storage/storage_class.h"
#include "api/storage/volume_attachment.h"
#include "codec/value.h"

/// Decodes trees into structs. REQUIRES: the tree has passed Conform for the struct's type, because
/// the decoders use field numbers and do not check value types. REQUIRES: `out` is
/// default-constructed. The structs point into the tree's document.
namespace plimsoll::api {

void Decode(const codec::Value& tree, ObjectMeta& out);
void Decode(const codec::Value& tree, LabelSelector& out);
void Decode(const codec::Value& tree, LabelSelectorRequirement& out);
void Decode(const codec::Value& tree, OwnerReference& out);

void Decode(const codec::Value& tree, Taint& out);
void Decode(const codec::Value& tree, Toleration& out);

void Decode(const codec::Value& tree, NodeSelectorRequirement& out);
void Decode(const codec::Value& tree, NodeSelectorTerm& out);
void Decode(const codec::Value& tree, NodeSelector& out);
void Decode(const codec::Value& tree, PreferredSchedulingTerm& out);
void Decode(const codec::Value& tree, NodeAffinity& out);

void Decode(const codec::Value& tree, PodAffinityTerm& out);
void Decode(const codec::Value& tree, WeightedPodAffinityTerm& out);
void Decode(const codec::Value& tree, PodAffinity& out);
void Decode(const codec::Value& tree, Affinity& out);
void Decode(const codec::Value& tree, TopologySpreadConstraint& out);

void Decode(const codec::Value& tree, ResourceList& out);
void Decode(const codec::Value& tree, ContainerResourceClaim& out);
void Decode(const codec::Value& tree, ResourceRequirements& out);
void Decode(const codec::Value& tree, ContainerPort& out);
void Decode(const codec::Value& tree, VolumeMount& out);
void Decode(const codec::Value& tree, Container& out);
/// Entries of `ephemeralContainers` have a type of their own, with different field numbers.
void DecodeEphemeral(const codec::Value& tree, Container& out);

void Decode(const codec::Value& tree, Volume& out);
void Decode(const codec::Value& tree, PodResourceClaim& out);
void Decode(const codec::Value& tree, PodSpec& out);
void Decode(const codec::Value& tree, PodStatus& out);
void Decode(const codec::Value& tree, Pod& out);
void Decode(const codec::Value& tree, PodTemplateSpec& out);

void Decode(const codec::Value& tree, NodeImage& out);
void Decode(const codec::Value& tree, NodeSpec& out);
void Decode(const codec::Value& tree, NodeStatus& out);
void Decode(const codec::Value& tree, Node& out);

void Decode(const codec::Value& tree, ObjectReference& out);
void Decode(const codec::Value& tree, VolumeNodeAffinity& out);
void Decode(const codec::Value& tree, PersistentVolumeSpec& out);
void Decode(const codec::Value& tree, PersistentVolume& out);
void Decode(const codec::Value& tree, TypedReference& out);
void Decode(const codec::Value& tree, PersistentVolumeClaimSpec& out);
void Decode(const codec::Value& tree, PersistentVolumeClaim& out);

void Decode(const codec::Value& tree, TopologySelectorRequirement& out);
void Decode(const codec::Value& tree, TopologySelectorTerm& out);
void Decode(const codec::Value& tree, StorageClass& out);
void Decode(const codec::Value& tree, CsiNodeDriver& out);
void Decode(const codec::Value& tree, CsiNode& out);
void Decode(const codec::Value& tree, CsiDriver& out);
void Decode(const codec::Value& tree, CsiStorageCapacity& out);
void Decode(const codec::Value& tree, VolumeAttachment& out);

void Decode(const codec::Value& tree, PodDisruptionBudget& out);

void Decode(const codec::Value& tree, DeviceTaint& out);
void Decode(const codec::Value& tree, Device& out);
void Decode(const codec::Value& tree, ResourceSlice& out);
void Decode(const codec::Value& tree, DeviceClaim& out);
void Decode(const codec::Value& tree, AllocationResult& out);
void Decode(const codec::Value& tree, ResourceClaim& out);
void Decode(const codec::Value& tree, ResourceClaimTemplate& out);
void Decode(const codec::Value& tree, DeviceClass& out);
void Decode(const codec::Value& tree, DeviceTaintSelector& out);
void Decode(const codec::Value& tree, DeviceTaintRule& out);

/// REQUIRES: `out.kind` is set to the tree's kind.
void Decode(const codec::Value& tree, Workload& out);

}  // namespace plimsoll::api
