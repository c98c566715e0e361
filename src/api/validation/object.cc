#include "api/validation/object.h"

#include <variant>

#include "api/validation/kind_checks.h"
#include "api/validation/node.h"
#include "api/validation/object_meta.h"
#include "api/validation/persistent_volume.h"
#include "api/validation/persistent_volume_claim.h"
#include "api/validation/pod.h"
#include "api/validation/pod_claim_status.h"
#include "api/validation/pod_update.h"
#include "api/validation/untyped.h"
#include "api/validation/workload.h"
#include "base/assert.h"
#include "base/go_text.h"

namespace plimsoll::api {
namespace {

/// Kinds without an overload are validated on the tree, like kinds without a view.
struct Create {
  const Object& object;
  const ValidationContext& context;

  FieldErrors operator()(const auto& /*view*/) const {
    FieldErrors errors;
    ValidateUntyped({object, nullptr, context}, errors);
    return errors;
  }
  FieldErrors operator()(const Pod& pod) const { return ValidatePodCreate(pod, context); }
  FieldErrors operator()(const Node& node) const { return ValidateNodeCreate(node); }
  FieldErrors operator()(const PersistentVolume& volume) const {
    return ValidatePersistentVolumeCreate(volume, context);
  }
  FieldErrors operator()(const PersistentVolumeClaim& claim) const {
    return ValidatePersistentVolumeClaimCreate(claim);
  }
  FieldErrors operator()(const Workload& workload) const {
    return ValidateWorkloadCreate(workload, context);
  }
};

struct Update {
  const Object& now;
  const Object& before;
  const ValidationContext& context;

  FieldErrors operator()(const auto& /*view*/) const {
    FieldErrors errors;
    ValidateUntyped({now, &before, context}, errors);
    return errors;
  }
  FieldErrors operator()(const Pod& pod) const {
    return ValidatePodUpdate(pod, *before.As<Pod>(), context);
  }
  FieldErrors operator()(const Node& node) const {
    FieldErrors errors = ValidateNodeCreate(node);
    errors.Append(ValidateNodeUpdate(node, *before.As<Node>()));
    return errors;
  }
  FieldErrors operator()(const PersistentVolume& volume) const {
    return ValidatePersistentVolumeUpdate(volume, *before.As<PersistentVolume>(), context);
  }
  FieldErrors operator()(const PersistentVolumeClaim& claim) const {
    return ValidatePersistentVolumeClaimUpdate(claim, *before.As<PersistentVolumeClaim>());
  }
  FieldErrors operator()(const Workload& workload) const {
    return ValidateWorkloadUpdate(workload, *before.As<Workload>(), context);
  }
};

}  // namespace

FieldErrors ValidateCreate(const Object& object, const ValidationContext& context) {
  return std::visit(Create{object, context}, object.view());
}

FieldErrors ValidateUpdate(const Object& now, const Object& before,
                           const ValidationContext& context) {
  PL_ASSERT(&now.kind() == &before.kind());
  return std::visit(Update{now, before, context}, now.view());
}

FieldErrors ValidateStatusUpdate(const Object& now, const Object& before,
                                 const ValidationContext& context) {
  PL_ASSERT(&now.kind() == &before.kind());
  static constexpr FieldPath kMetadata("metadata");
  FieldErrors errors;
  ValidateObjectMetaUpdate(now.metadata(), before.metadata(), kMetadata, errors);
  const KindChange change{now, &before, context};
  if (now.As<ResourceClaim>() != nullptr) ValidateResourceClaimStatus(change, errors);
  if (now.As<DeviceTaintRule>() != nullptr) ValidateDeviceTaintRuleStatus(change, errors);
  if (const Pod* pod = now.As<Pod>()) {
    ValidatePodStatusMetadata(*pod, *before.As<Pod>(), context, errors);
    ValidatePodClaimStatuses(*pod, now.tree(), errors);
  }
  if (now.kind().group == "flowcontrol.apiserver.k8s.io") ValidateFlowControlStatus(change, errors);
  return errors;
}

std::string InvalidPrefix(const Object& object) {
  std::string text(object.kind().kind);
  if (!object.kind().group.empty()) text.append(".").append(object.kind().group);
  return text + " " + GoQuote(object.metadata().name) + " is invalid: ";
}

}  // namespace plimsoll::api
