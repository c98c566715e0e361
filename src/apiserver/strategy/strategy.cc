#include "apiserver/strategy/strategy.h"

#include <algorithm>
#include <array>

#include "apiserver/strategy/kinds.h"

namespace plimsoll::apiserver {
namespace {

using codec::Value;
using Generation = GenerationRule;

constexpr std::string_view kApps = "apps";
constexpr std::string_view kFlowControl = "flowcontrol.apiserver.k8s.io";
constexpr std::string_view kRbac = "rbac.authorization.k8s.io";
constexpr std::string_view kStorage = "storage.k8s.io";
constexpr std::string_view kDevices = "resource.k8s.io";

/// Ordered by group, for readers.
constexpr std::array kStrategies = {
    Strategy{.group = "",
             .plural = "pods",
             .generation = Generation::OnSpec,
             .status_meta = StatusMetaRule::AllButOwners,
             .returns_deleted = true,
             .deletes_gracefully = true,
             .prepare_create = kinds::CreatePod,
             .prepare_status = kinds::UpdatePodStatus},
    Strategy{.group = "",
             .plural = "nodes",
             .keeps_status_on_create = true,
             .canonicalize = kinds::SetTaintTimes},
    Strategy{.group = "",
             .plural = "namespaces",
             .prepare_create = kinds::CreateNamespace,
             .prepare_update = kinds::UpdateNamespace},
    Strategy{.group = "",
             .plural = "persistentvolumes",
             .returns_deleted = true,
             .prepare_create = kinds::CreateVolume,
             .prepare_status = kinds::UpdateVolumeStatus},
    Strategy{.group = "",
             .plural = "persistentvolumeclaims",
             .returns_deleted = true,
             .prepare_create = kinds::CreateClaim},
    Strategy{.group = "",
             .plural = "services",
             .allows_create_on_update = true,
             .returns_deleted = true,
             .prepare_create = kinds::CreateService,
             .prepare_update = kinds::UpdateService},
    Strategy{.group = "",
             .plural = "serviceaccounts",
             .returns_deleted = true,
             .prepare_create = kinds::CreateServiceAccount,
             .prepare_update = kinds::UpdateServiceAccount},
    Strategy{.group = "", .plural = "endpoints", .allows_create_on_update = true},
    Strategy{.group = "",
             .plural = "events",
             .dependents = DependentsRule::Unsupported,
             .allows_create_on_update = true},
    Strategy{.group = "events.k8s.io",
             .plural = "events",
             .dependents = DependentsRule::Unsupported,
             .allows_create_on_update = true},
    Strategy{.group = "",
             .plural = "replicationcontrollers",
             .generation = Generation::OnSpec,
             .dependents = DependentsRule::Orphan},
    Strategy{.group = "", .plural = "limitranges", .allows_create_on_update = true},
    Strategy{.group = "", .plural = "resourcequotas", .returns_deleted = true},
    Strategy{.group = "",
             .plural = "podtemplates",
             .generation = Generation::OnSpec,
             .returns_deleted = true},
    Strategy{.group = kApps,
             .plural = "deployments",
             .generation = Generation::OnSpecOrAnnotations,
             .status_meta = StatusMetaRule::AllButLabels},
    Strategy{.group = kApps, .plural = "replicasets", .generation = Generation::OnSpec},
    Strategy{.group = kApps, .plural = "statefulsets", .generation = Generation::OnSpec},
    Strategy{.group = kApps,
             .plural = "daemonsets",
             .generation = Generation::OnSpec,
             .prepare_create = kinds::CreateDaemonSet,
             .prepare_update = kinds::UpdateDaemonSet},
    Strategy{.group = "batch",
             .plural = "jobs",
             .generation = Generation::OnSpec,
             .dependents = DependentsRule::Orphan,
             .prepare_create = kinds::CreateJob},
    Strategy{.group = "policy",
             .plural = "poddisruptionbudgets",
             .generation = Generation::OnSpec,
             .allows_unconditional_update = false},
    Strategy{.group = kFlowControl,
             .plural = "flowschemas",
             .generation = Generation::OnSpec,
             .status_meta = StatusMetaRule::ManagedFieldsOnly,
             .allows_unconditional_update = false},
    Strategy{.group = kFlowControl,
             .plural = "prioritylevelconfigurations",
             .generation = Generation::OnSpec,
             .status_meta = StatusMetaRule::ManagedFieldsOnly,
             .allows_unconditional_update = false},
    Strategy{.group = "scheduling.k8s.io",
             .plural = "priorityclasses",
             .generation = Generation::OnceOnly},
    Strategy{.group = "coordination.k8s.io",
             .plural = "leases",
             .allows_create_on_update = true,
             .allows_unconditional_update = false},
    Strategy{.group = "node.k8s.io",
             .plural = "runtimeclasses",
             .allows_create_on_update = true,
             .allows_unconditional_update = false},
    Strategy{.group = kRbac, .plural = "roles", .allows_create_on_update = true},
    Strategy{.group = kRbac, .plural = "rolebindings", .allows_create_on_update = true},
    Strategy{.group = kRbac, .plural = "clusterroles", .allows_create_on_update = true},
    Strategy{.group = kRbac, .plural = "clusterrolebindings", .allows_create_on_update = true},
    Strategy{.group = kStorage, .plural = "storageclasses", .returns_deleted = true},
    Strategy{.group = kStorage,
             .plural = "csinodes",
             .allows_unconditional_update = false,
             .returns_deleted = true},
    Strategy{.group = kStorage,
             .plural = "csidrivers",
             .generation = Generation::OnSpec,
             .allows_unconditional_update = false,
             .returns_deleted = true},
    Strategy{
        .group = kStorage, .plural = "csistoragecapacities", .allows_unconditional_update = false},
    Strategy{.group = kStorage,
             .plural = "volumeattachments",
             .status_meta = StatusMetaRule::ManagedFieldsOnly,
             .allows_unconditional_update = false,
             .returns_deleted = true},
    Strategy{.group = kDevices,
             .plural = "resourceclaims",
             .status_meta = StatusMetaRule::ManagedFieldsOnly,
             .returns_deleted = true,
             .prepare_status = kinds::UpdateResourceClaimStatus},
    Strategy{.group = kDevices, .plural = "resourceclaimtemplates", .returns_deleted = true},
    Strategy{.group = kDevices,
             .plural = "deviceclasses",
             .generation = Generation::OnSpec,
             .returns_deleted = true},
    Strategy{.group = kDevices,
             .plural = "resourceslices",
             .generation = Generation::OnSpec,
             .returns_deleted = true,
             .prepare_create = kinds::CreateSlice,
             .prepare_update = kinds::UpdateSlice},
    // v1 behaves like newer kinds: no update without resourceVersion, a Status for a delete.
    Strategy{.group = kDevices,
             .plural = "devicetaintrules",
             .version = "v1",
             .generation = Generation::OnSpec,
             .status_meta = StatusMetaRule::ManagedFieldsOnly,
             .allows_unconditional_update = false,
             .prepare_create = kinds::CreateTaintRule,
             .prepare_update = kinds::UpdateTaintRule},
    Strategy{.group = kDevices,
             .plural = "devicetaintrules",
             .generation = Generation::OnSpec,
             .status_meta = StatusMetaRule::ManagedFieldsOnly,
             .returns_deleted = true,
             .prepare_create = kinds::CreateTaintRule,
             .prepare_update = kinds::UpdateTaintRule},
};

constexpr Strategy kDefault;

/// Returns an empty status, but with fields Go never omits: numbers and booleans with a default.
Value EmptyStatus(codec::Document& document, const api::TypeDesc& type) {
  Value status = document.NewObject();
  const Place place(document, status, &type);
  for (const api::FieldDesc& field : type.fields) {
    if (field.default_json.empty()) continue;
    const api::ShapeKind kind = field.shape->kind;
    if (kind == api::ShapeKind::Int32 || kind == api::ShapeKind::Int64) place.SetInt(field.name, 0);
    if (kind == api::ShapeKind::Bool) place.Set(field.name, Value::Bool(false));
  }
  return status;
}

void ResetStatus(const Resource& resource, const Place& object) {
  const codec::FieldId id = api::FindField(*resource.kind->type, "status");
  if (id == codec::kUnknownField) return;
  const api::TypeDesc* type = resource.kind->type->fields[id].shape->type;
  if (type == nullptr) return;
  object.Set("status", EmptyStatus(object.document(), *type));
}

bool Counts(GenerationRule rule, const Value& now, const Value& before) {
  switch (rule) {
    case GenerationRule::None:
    case GenerationRule::OnceOnly:
      return false;
    case GenerationRule::OnSpecOrAnnotations: {
      const Value* ours = now.Find("metadata");
      const Value* theirs = before.Find("metadata");
      if (ours != nullptr && theirs != nullptr && !SameAt(*ours, *theirs, "annotations")) {
        return true;
      }
      return !SameAt(now, before, "spec");
    }
    case GenerationRule::OnSpec:
      return !SameAt(now, before, "spec");
  }
  return false;
}

/// Restores everything but metadata and status from `before`.
void KeepAllButStatus(const Place& object, const Value& before) {
  const auto is_kept_apart = [](std::string_view key) {
    return key == "metadata" || key == "status" || key == "kind" || key == "apiVersion";
  };
  std::vector<std::string_view> gone;
  for (const codec::Member& member : object.value().members()) {
    if (!is_kept_apart(member.key) && before.Find(member.key) == nullptr) {
      gone.push_back(member.key);
    }
  }
  for (const std::string_view key : gone) object.Remove(key);
  for (const codec::Member& member : before.members()) {
    if (!is_kept_apart(member.key)) object.CopyFrom(&before, member.key);
  }
}

void KeepStatusMeta(StatusMetaRule rule, const Place& object, const Value& before) {
  const Place metadata = object.Child("metadata");
  const Value* theirs = before.Find("metadata");
  if (rule == StatusMetaRule::AllButLabels || rule == StatusMetaRule::ManagedFieldsOnly) {
    metadata.CopyFrom(theirs, "labels");
  }
  if (rule == StatusMetaRule::AllButOwners || rule == StatusMetaRule::ManagedFieldsOnly) {
    metadata.CopyFrom(theirs, "ownerReferences");
    metadata.CopyFrom(theirs, "deletionTimestamp");
  }
  if (rule == StatusMetaRule::ManagedFieldsOnly) {
    metadata.CopyFrom(theirs, "annotations");
    metadata.CopyFrom(theirs, "finalizers");
  }
}

}  // namespace

const Strategy& StrategyOf(const Resource& resource) {
  const auto found = std::ranges::find_if(kStrategies, [&](const Strategy& row) {
    return row.plural == resource.name() && row.group == resource.group() &&
           (row.version.empty() || row.version == resource.kind->version);
  });
  return found == kStrategies.end() ? kDefault : *found;
}

api::Answer<void> PrepareForCreate(const Resource& resource, const StrategyContext& context,
                                   Place object) {
  const Strategy& strategy = StrategyOf(resource);
  if (strategy.generation != GenerationRule::None) object.Child("metadata").SetInt("generation", 1);
  if (resource.Serves("status") && !strategy.keeps_status_on_create) ResetStatus(resource, object);
  if (strategy.prepare_create == nullptr) return {};
  return strategy.prepare_create(context, object);
}

api::Answer<void> PrepareForUpdate(const Resource& resource, std::string_view subresource,
                                   const StrategyContext& context, Place object,
                                   const Value& before) {
  const Strategy& strategy = StrategyOf(resource);
  if (subresource == "status") {
    KeepAllButStatus(object, before);
    KeepStatusMeta(strategy.status_meta, object, before);
    if (strategy.prepare_status == nullptr) return {};
    return strategy.prepare_status(context, object, before);
  }
  if (resource.Serves("status")) object.CopyFrom(&before, "status");
  // Only namespaces have finalize. Their finalizers are in the spec, where an update of the
  // namespace must not change them.
  if (subresource == "finalize") return {};
  if (strategy.prepare_update != nullptr) {
    PL_TRY(strategy.prepare_update(context, object, before));
  }
  if (Counts(strategy.generation, object.value(), before)) {
    const Value* generation = FindAt(before, "metadata", "generation");
    object.Child("metadata")
        .SetInt("generation", (generation == nullptr ? 0 : generation->AsInt()) + 1);
  }
  return {};
}

void Canonicalize(const Resource& resource, Instant now, Place object, const Value* before) {
  const Strategy& strategy = StrategyOf(resource);
  if (strategy.canonicalize != nullptr) strategy.canonicalize(now, object, before);
}

}  // namespace plimsoll::apiserver
