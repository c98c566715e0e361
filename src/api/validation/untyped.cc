#include "api/validation/untyped.h"

#include "api/schema/fields.h"
#include "api/validation/object_meta.h"

namespace plimsoll::api {
namespace {

struct Rule {
  TypeId type;
  NameRule name;
  void (*check)(const KindChange&, FieldErrors&);
  /// On update, upstream checks only the immutable metadata.
  bool keeps_metadata = false;
  /// Runs before all other checks.
  void (*authorize)(const KindChange&, FieldErrors&) = nullptr;
};

namespace authorization = fields::authorization_v1;
namespace core = fields::core_v1;
namespace devices = fields::resource_v1;
namespace flows = fields::flowcontrol_v1;
namespace rbac = fields::rbac_v1;
namespace storage = fields::storage_v1;

constexpr Rule kRules[] = {
    {core::Namespace::kTypeId, NameRule::Dns1123Label, ValidateNamespace},
    {core::ConfigMap::kTypeId, NameRule::Dns1123Subdomain, ValidateConfigMap},
    {core::Secret::kTypeId, NameRule::Dns1123Subdomain, ValidateSecret},
    {core::Service::kTypeId, NameRule::Dns1035Label, ValidateService},
    {core::Endpoints::kTypeId, NameRule::Dns1123Subdomain, ValidateEndpoints},
    {core::ReplicationController::kTypeId, NameRule::Dns1123Subdomain,
     ValidateReplicationController},
    {core::Event::kTypeId, NameRule::Dns1123Subdomain, ValidateCoreEvent},
    {fields::events_v1::Event::kTypeId, NameRule::Dns1123Subdomain, ValidateEvent},
    {core::Binding::kTypeId, NameRule::Dns1123Subdomain, ValidateBinding},
    {fields::apps_v1::ControllerRevision::kTypeId, NameRule::Dns1123Subdomain,
     ValidateControllerRevision},
    {fields::policy_v1::PodDisruptionBudget::kTypeId, NameRule::Dns1123Subdomain,
     ValidatePodDisruptionBudget},
    {fields::scheduling_v1::PriorityClass::kTypeId, NameRule::Dns1123Subdomain,
     ValidatePriorityClass},
    {storage::StorageClass::kTypeId, NameRule::Dns1123Subdomain, ValidateStorageClass},
    {storage::CSINode::kTypeId, NameRule::Dns1123Subdomain, ValidateCsiNode},
    {storage::CSIDriver::kTypeId, NameRule::Dns1123Subdomain, ValidateCsiDriver},
    {storage::CSIStorageCapacity::kTypeId, NameRule::Dns1123Subdomain, ValidateCsiStorageCapacity},
    {storage::VolumeAttachment::kTypeId, NameRule::Dns1123Subdomain, ValidateVolumeAttachment},
    {fields::coordination_v1::Lease::kTypeId, NameRule::Dns1123Subdomain, ValidateLease},
    {fields::node_v1::RuntimeClass::kTypeId, NameRule::Dns1123Subdomain, ValidateRuntimeClass},
    {flows::FlowSchema::kTypeId, NameRule::Dns1123Subdomain, ValidateFlowSchema, true},
    {flows::PriorityLevelConfiguration::kTypeId, NameRule::Dns1123Subdomain, ValidatePriorityLevel,
     true},
    {devices::ResourceSlice::kTypeId, NameRule::Dns1123Subdomain, ValidateResourceSlice, true},
    {devices::ResourceClaim::kTypeId, NameRule::Dns1123Subdomain, ValidateResourceClaim, false,
     AuthorizeAdminAccess},
    {devices::ResourceClaimTemplate::kTypeId, NameRule::Dns1123Subdomain,
     ValidateResourceClaimTemplate, false, AuthorizeAdminAccess},
    {devices::DeviceClass::kTypeId, NameRule::ByKind, ValidateDeviceClass},
    {devices::DeviceTaintRule::kTypeId, NameRule::Dns1123Subdomain, ValidateDeviceTaintRule, true},
    {rbac::Role::kTypeId, NameRule::PathSegment, ValidateRole},
    {rbac::ClusterRole::kTypeId, NameRule::PathSegment, ValidateClusterRole},
    {rbac::RoleBinding::kTypeId, NameRule::PathSegment, ValidateRoleBinding},
    {rbac::ClusterRoleBinding::kTypeId, NameRule::PathSegment, ValidateClusterRoleBinding},
    {authorization::SubjectAccessReview::kTypeId, NameRule::None, ValidateSubjectAccessReview},
    {authorization::LocalSubjectAccessReview::kTypeId, NameRule::None, ValidateSubjectAccessReview},
    {authorization::SelfSubjectAccessReview::kTypeId, NameRule::None,
     ValidateSelfSubjectAccessReview},
    {authorization::SelfSubjectRulesReview::kTypeId, NameRule::None, nullptr},
    {fields::authentication_v1::TokenReview::kTypeId, NameRule::None, nullptr},
    {fields::authentication_v1::SelfSubjectReview::kTypeId, NameRule::None, nullptr},
};

Rule RuleOf(TypeId type) {
  for (const Rule& rule : kRules) {
    if (rule.type == type) return rule;
  }
  return {.type = type, .name = NameRule::Dns1123Subdomain, .check = nullptr};
}

}  // namespace

void ValidateUntyped(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kMetadata("metadata");
  const KindDesc& kind = change.now.kind();
  const Rule rule = RuleOf(kind.type->id);
  if (rule.authorize != nullptr) rule.authorize(change, errors);
  // Reviews are not stored, so they need no name.
  const bool validates_metadata = change.before == nullptr || !rule.keeps_metadata;
  if (rule.name != NameRule::None && validates_metadata) {
    ValidateObjectMeta(change.now.metadata(),
                       kind.is_namespaced ? Scope::Namespaced : Scope::Cluster, rule.name,
                       kMetadata, errors);
  }
  if (change.before != nullptr) {
    ValidateObjectMetaUpdate(change.now.metadata(), change.before->metadata(), kMetadata, errors);
  }
  if (rule.check != nullptr) rule.check(change, errors);
}

}  // namespace plimsoll::api
