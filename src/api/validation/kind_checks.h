#pragma once

#include "api/field_error.h"
#include "api/object.h"
#include "api/validation/context.h"

/// Validates each kind beyond its metadata, one function per kind, which its row in
/// api/kind_hooks.cc names. Texts and paths are upstream's.
namespace plimsoll::api {

/// A write to validate.
struct KindChange {
  const Object& now;
  const Object* before;  // null on creation
  const ValidationContext& context;

  const codec::Value* tree() const { return &now.tree(); }
  const codec::Value* old_tree() const { return before != nullptr ? &before->tree() : nullptr; }
};

// config.cc
void ValidateConfigMap(const KindChange& change, FieldErrors& errors);
void ValidateSecret(const KindChange& change, FieldErrors& errors);

// service.cc
void ValidateService(const KindChange& change, FieldErrors& errors);
void ValidateEndpoints(const KindChange& change, FieldErrors& errors);

// event.cc
void ValidateCoreEvent(const KindChange& change, FieldErrors& errors);
void ValidateEvent(const KindChange& change, FieldErrors& errors);

// rbac.cc
void ValidateRole(const KindChange& change, FieldErrors& errors);
void ValidateClusterRole(const KindChange& change, FieldErrors& errors);
void ValidateRoleBinding(const KindChange& change, FieldErrors& errors);
void ValidateClusterRoleBinding(const KindChange& change, FieldErrors& errors);
void ValidateSubjectAccessReview(const KindChange& change, FieldErrors& errors);
void ValidateSelfSubjectAccessReview(const KindChange& change, FieldErrors& errors);

// storage_kinds.cc
void ValidateStorageClass(const KindChange& change, FieldErrors& errors);
void ValidateCsiNode(const KindChange& change, FieldErrors& errors);
void ValidateCsiDriver(const KindChange& change, FieldErrors& errors);
void ValidateCsiStorageCapacity(const KindChange& change, FieldErrors& errors);
void ValidateVolumeAttachment(const KindChange& change, FieldErrors& errors);

// small_kinds.cc
void ValidateNamespace(const KindChange& change, FieldErrors& errors);
void ValidatePriorityClass(const KindChange& change, FieldErrors& errors);
void ValidateRuntimeClass(const KindChange& change, FieldErrors& errors);
void ValidateLease(const KindChange& change, FieldErrors& errors);
void ValidatePodDisruptionBudget(const KindChange& change, FieldErrors& errors);
void ValidateControllerRevision(const KindChange& change, FieldErrors& errors);
void ValidateBinding(const KindChange& change, FieldErrors& errors);

// flow_control.cc
void ValidateFlowSchema(const KindChange& change, FieldErrors& errors);
void ValidatePriorityLevel(const KindChange& change, FieldErrors& errors);
/// Validates the conditions in the status of either kind.
void ValidateFlowControlStatus(const KindChange& change, FieldErrors& errors);

// replication_controller.cc
void ValidateReplicationController(const KindChange& change, FieldErrors& errors);

// node_taint_rule.cc
void ValidateNodeTaintRule(const KindChange& change, FieldErrors& errors);

// device/
void ValidateResourceSlice(const KindChange& change, FieldErrors& errors);
/// Checks admin access that the claim requests. Upstream checks this before everything else.
void AuthorizeAdminAccess(const KindChange& change, FieldErrors& errors);
void ValidateResourceClaim(const KindChange& change, FieldErrors& errors);
void ValidateResourceClaimTemplate(const KindChange& change, FieldErrors& errors);
void ValidateDeviceClass(const KindChange& change, FieldErrors& errors);
void ValidateDeviceTaintRule(const KindChange& change, FieldErrors& errors);
/// Validates a write to `status`. `before` is never null here.
void ValidateResourceClaimStatus(const KindChange& change, FieldErrors& errors);
void ValidateDeviceTaintRuleStatus(const KindChange& change, FieldErrors& errors);

// eviction/
void ValidateEvictionPolicy(const KindChange& change, FieldErrors& errors);
void ValidateEvictionRecord(const KindChange& change, FieldErrors& errors);
void ValidateEvictionRequest(const KindChange& change, FieldErrors& errors);
void ValidateEviction(const KindChange& change, FieldErrors& errors);
/// These validate a write to `status`. `before` is never null here.
void ValidateEvictionPolicyStatus(const KindChange& change, FieldErrors& errors);
void ValidateEvictionRequestStatus(const KindChange& change, FieldErrors& errors);
void ValidateEvictionStatus(const KindChange& change, FieldErrors& errors);

}  // namespace plimsoll::api
