#include "api/kind_hooks.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "api/schema/fields.h"
#include "api/validation/kind_checks.h"
#include "api/validation/node.h"
#include "api/validation/persistent_volume.h"
#include "api/validation/persistent_volume_claim.h"
#include "api/validation/pod.h"
#include "api/validation/pod_claim_status.h"
#include "api/validation/pod_update.h"
#include "api/validation/workload.h"

namespace plimsoll::api {
namespace {

namespace apps = fields::apps_v1;
namespace authorization = fields::authorization_v1;
namespace core = fields::core_v1;
namespace devices = fields::resource_v1;
namespace flows = fields::flowcontrol_v1;
namespace lifecycle = fields::lifecycle_v1alpha1;
namespace own = fields::plimsoll_v1alpha1;
namespace rbac = fields::rbac_v1;
namespace storage = fields::storage_v1;

// Checks of kinds with a view.

void ValidatePod(const KindChange& change, FieldErrors& errors) {
  const Pod& now = *change.now.As<Pod>();
  errors.Append(change.before == nullptr
                    ? ValidatePodCreate(now, change.context)
                    : ValidatePodUpdate(now, *change.before->As<Pod>(), change.context));
}

void ValidatePodStatus(const KindChange& change, FieldErrors& errors) {
  const Pod& now = *change.now.As<Pod>();
  ValidatePodStatusMetadata(now, *change.before->As<Pod>(), change.context, errors);
  ValidatePodClaimStatuses(now, change.now.tree(), errors);
}

void ValidateNode(const KindChange& change, FieldErrors& errors) {
  const Node& now = *change.now.As<Node>();
  errors.Append(ValidateNodeCreate(now));
  if (change.before != nullptr) errors.Append(ValidateNodeUpdate(now, *change.before->As<Node>()));
}

void ValidatePersistentVolume(const KindChange& change, FieldErrors& errors) {
  const auto& now = *change.now.As<PersistentVolume>();
  errors.Append(change.before == nullptr
                    ? ValidatePersistentVolumeCreate(now, change.context)
                    : ValidatePersistentVolumeUpdate(now, *change.before->As<PersistentVolume>(),
                                                     change.context));
}

void ValidatePersistentVolumeClaim(const KindChange& change, FieldErrors& errors) {
  const auto& now = *change.now.As<PersistentVolumeClaim>();
  errors.Append(change.before == nullptr ? ValidatePersistentVolumeClaimCreate(now)
                                         : ValidatePersistentVolumeClaimUpdate(
                                               now, *change.before->As<PersistentVolumeClaim>()));
}

void ValidateWorkload(const KindChange& change, FieldErrors& errors) {
  const Workload& now = *change.now.As<Workload>();
  errors.Append(change.before == nullptr
                    ? ValidateWorkloadCreate(now, change.context)
                    : ValidateWorkloadUpdate(now, *change.before->As<Workload>(), change.context));
}

constexpr std::array kRows = {
    KindHooks{.type = core::Pod::kTypeId,
              .checks_own_metadata = true,
              .validate = ValidatePod,
              .validate_status = ValidatePodStatus,
              .gated_fields = kGatedFieldsOfPod,
              .selectable_fields = kFieldsOfPod,
              .field_labels = kLabelsOfPod},
    KindHooks{.type = core::Node::kTypeId,
              .checks_own_metadata = true,
              .validate = ValidateNode,
              .selectable_fields = kFieldsOfNode},
    KindHooks{.type = core::Namespace::kTypeId,
              .name = NameRule::Dns1123Label,
              .validate = ValidateNamespace,
              .selectable_fields = kFieldsOfNamespace},
    KindHooks{.type = core::ConfigMap::kTypeId, .validate = ValidateConfigMap},
    KindHooks{.type = core::Secret::kTypeId,
              .validate = ValidateSecret,
              .selectable_fields = kFieldsOfSecret},
    KindHooks{.type = core::Service::kTypeId,
              .name = NameRule::Dns1035Label,
              .validate = ValidateService},
    KindHooks{.type = core::Endpoints::kTypeId, .validate = ValidateEndpoints},
    KindHooks{.type = core::Event::kTypeId,
              .validate = ValidateCoreEvent,
              .selectable_fields = kFieldsOfEvent},
    KindHooks{.type = fields::events_v1::Event::kTypeId,
              .validate = ValidateEvent,
              .field_labels = kLabelsOfEvent},
    KindHooks{.type = core::Binding::kTypeId, .validate = ValidateBinding},
    KindHooks{.type = core::PersistentVolume::kTypeId,
              .checks_own_metadata = true,
              .validate = ValidatePersistentVolume},
    KindHooks{.type = core::PersistentVolumeClaim::kTypeId,
              .checks_own_metadata = true,
              .validate = ValidatePersistentVolumeClaim},
    KindHooks{.type = core::ReplicationController::kTypeId,
              .validate = ValidateReplicationController,
              .selectable_fields = kFieldsOfReplicaSet},
    KindHooks{.type = apps::Deployment::kTypeId,
              .checks_own_metadata = true,
              .validate = ValidateWorkload},
    KindHooks{.type = apps::ReplicaSet::kTypeId,
              .checks_own_metadata = true,
              .validate = ValidateWorkload,
              .selectable_fields = kFieldsOfReplicaSet},
    KindHooks{.type = apps::StatefulSet::kTypeId,
              .checks_own_metadata = true,
              .validate = ValidateWorkload},
    KindHooks{.type = apps::DaemonSet::kTypeId,
              .checks_own_metadata = true,
              .validate = ValidateWorkload},
    KindHooks{.type = apps::ControllerRevision::kTypeId, .validate = ValidateControllerRevision},
    KindHooks{.type = fields::batch_v1::Job::kTypeId,
              .checks_own_metadata = true,
              .validate = ValidateWorkload,
              .selectable_fields = kFieldsOfJob},
    KindHooks{.type = fields::policy_v1::PodDisruptionBudget::kTypeId,
              .validate = ValidatePodDisruptionBudget},
    KindHooks{.type = fields::scheduling_v1::PriorityClass::kTypeId,
              .validate = ValidatePriorityClass},
    KindHooks{.type = fields::coordination_v1::Lease::kTypeId, .validate = ValidateLease},
    KindHooks{.type = fields::node_v1::RuntimeClass::kTypeId, .validate = ValidateRuntimeClass},
    KindHooks{.type = storage::StorageClass::kTypeId, .validate = ValidateStorageClass},
    KindHooks{.type = storage::CSINode::kTypeId, .validate = ValidateCsiNode},
    KindHooks{.type = storage::CSIDriver::kTypeId, .validate = ValidateCsiDriver},
    KindHooks{.type = storage::CSIStorageCapacity::kTypeId, .validate = ValidateCsiStorageCapacity},
    KindHooks{.type = storage::VolumeAttachment::kTypeId, .validate = ValidateVolumeAttachment},
    KindHooks{.type = flows::FlowSchema::kTypeId,
              .checks_metadata_on_update = false,
              .validate = ValidateFlowSchema,
              .validate_status = ValidateFlowControlStatus},
    KindHooks{.type = flows::PriorityLevelConfiguration::kTypeId,
              .checks_metadata_on_update = false,
              .validate = ValidatePriorityLevel,
              .validate_status = ValidateFlowControlStatus},
    KindHooks{.type = devices::ResourceSlice::kTypeId,
              .checks_metadata_on_update = false,
              .validate = ValidateResourceSlice,
              .gated_fields = kGatedFieldsOfSlice,
              .selectable_fields = kFieldsOfSlice},
    KindHooks{.type = devices::ResourceClaim::kTypeId,
              .authorize = AuthorizeAdminAccess,
              .validate = ValidateResourceClaim,
              .validate_status = ValidateResourceClaimStatus,
              .gated_fields = kGatedFieldsOfClaim},
    KindHooks{.type = devices::ResourceClaimTemplate::kTypeId,
              .authorize = AuthorizeAdminAccess,
              .validate = ValidateResourceClaimTemplate,
              .gated_fields = kGatedFieldsOfClaim,
              .gated_fields_below = "spec"},
    KindHooks{.type = devices::DeviceClass::kTypeId,
              .name = NameRule::ByKind,
              .validate = ValidateDeviceClass},
    KindHooks{.type = devices::DeviceTaintRule::kTypeId,
              .checks_metadata_on_update = false,
              .validate = ValidateDeviceTaintRule,
              .validate_status = ValidateDeviceTaintRuleStatus},
    KindHooks{.type = lifecycle::Eviction::kTypeId,
              .validate = ValidateEviction,
              .validate_status = ValidateEvictionStatus},
    KindHooks{.type = lifecycle::EvictionRequest::kTypeId,
              .validate = ValidateEvictionRequest,
              .validate_status = ValidateEvictionRequestStatus},
    KindHooks{.type = own::EvictionPolicy::kTypeId,
              .validate = ValidateEvictionPolicy,
              .validate_status = ValidateEvictionPolicyStatus},
    KindHooks{.type = own::EvictionRecord::kTypeId, .validate = ValidateEvictionRecord},
    KindHooks{.type = own::NodeTaintRule::kTypeId, .validate = ValidateNodeTaintRule},
    KindHooks{.type = rbac::Role::kTypeId, .name = NameRule::PathSegment, .validate = ValidateRole},
    KindHooks{.type = rbac::ClusterRole::kTypeId,
              .name = NameRule::PathSegment,
              .validate = ValidateClusterRole},
    KindHooks{.type = rbac::RoleBinding::kTypeId,
              .name = NameRule::PathSegment,
              .validate = ValidateRoleBinding},
    KindHooks{.type = rbac::ClusterRoleBinding::kTypeId,
              .name = NameRule::PathSegment,
              .validate = ValidateClusterRoleBinding},
    KindHooks{.type = authorization::SubjectAccessReview::kTypeId,
              .name = NameRule::None,
              .validate = ValidateSubjectAccessReview},
    KindHooks{.type = authorization::LocalSubjectAccessReview::kTypeId,
              .name = NameRule::None,
              .validate = ValidateSubjectAccessReview},
    KindHooks{.type = authorization::SelfSubjectAccessReview::kTypeId,
              .name = NameRule::None,
              .validate = ValidateSelfSubjectAccessReview},
    KindHooks{.type = authorization::SelfSubjectRulesReview::kTypeId, .name = NameRule::None},
    KindHooks{.type = fields::authentication_v1::TokenReview::kTypeId, .name = NameRule::None},
    KindHooks{.type = fields::authentication_v1::SelfSubjectReview::kTypeId,
              .name = NameRule::None},
};

constexpr KindHooks kDefault;

/// Position of a type's row plus 1; 0: none.
constexpr auto kRowOfType = [] {
  constexpr std::size_t kTypes =
      1 + std::to_underlying(std::ranges::max(kRows, {}, &KindHooks::type).type);
  std::array<std::uint8_t, kTypes> rows{};
  for (std::size_t i = 0; i < kRows.size(); ++i) {
    std::uint8_t& row = rows[std::to_underlying(kRows[i].type)];
    if (row != 0) throw "a kind has two rows";  // fails the build
    row = static_cast<std::uint8_t>(i + 1);
  }
  return rows;
}();

}  // namespace

const KindHooks& HooksOf(const KindDesc& kind) {
  const auto type = std::to_underlying(kind.type->id);
  if (type >= kRowOfType.size() || kRowOfType[type] == 0) return kDefault;
  return kRows[kRowOfType[type] - 1u];
}

}  // namespace plimsoll::api
