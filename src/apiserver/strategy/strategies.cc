#include <algorithm>
#include <array>

#include "api/schema/fields.h"
#include "apiserver/strategy/kinds.h"
#include "apiserver/strategy/strategy.h"

namespace plimsoll::apiserver {
namespace {

using Generation = GenerationRule;

namespace apps = api::fields::apps_v1;
namespace batch = api::fields::batch_v1;
namespace coordination = api::fields::coordination_v1;
namespace core = api::fields::core_v1;
namespace devices = api::fields::resource_v1;
namespace events = api::fields::events_v1;
namespace flows = api::fields::flowcontrol_v1;
namespace node = api::fields::node_v1;
namespace plimsoll_io = api::fields::plimsoll_v1alpha1;
namespace policy = api::fields::policy_v1;
namespace rbac = api::fields::rbac_v1;
namespace scheduling = api::fields::scheduling_v1;
namespace storage = api::fields::storage_v1;

/// Ordered by group, for readers.
constexpr std::array kStrategies = {
    Strategy{.type = core::Pod::kTypeId,
             .generation = Generation::OnSpec,
             .status_meta = StatusMetaRule::AllButOwners,
             .returns_deleted = true,
             .deletes_gracefully = true,
             .prepare_create = kinds::CreatePod,
             .prepare_status = kinds::UpdatePodStatus,
             .print = PrintPod},
    Strategy{.type = core::Node::kTypeId,
             .store_prefix = "minions",
             .keeps_status_on_create = true,
             .canonicalize = kinds::SetTaintTimes,
             .print = PrintNode},
    Strategy{.type = core::Namespace::kTypeId,
             .prepare_create = kinds::CreateNamespace,
             .prepare_update = kinds::UpdateNamespace,
             .print = PrintNamespace},
    Strategy{.type = core::PersistentVolume::kTypeId,
             .returns_deleted = true,
             .prepare_create = kinds::CreateVolume,
             .prepare_status = kinds::UpdateVolumeStatus,
             .print = PrintPersistentVolume},
    Strategy{.type = core::PersistentVolumeClaim::kTypeId,
             .returns_deleted = true,
             .prepare_create = kinds::CreateClaim,
             .print = PrintPersistentVolumeClaim},
    Strategy{.type = core::Service::kTypeId,
             .store_prefix = "services/specs",
             .allows_create_on_update = true,
             .returns_deleted = true,
             .prepare_create = kinds::CreateService,
             .prepare_update = kinds::UpdateService,
             .print = PrintService},
    Strategy{.type = core::ServiceAccount::kTypeId,
             .returns_deleted = true,
             .prepare_create = kinds::CreateServiceAccount,
             .prepare_update = kinds::UpdateServiceAccount,
             .print = PrintNameAndAge},
    Strategy{.type = core::Endpoints::kTypeId,
             .store_prefix = "services/endpoints",
             .allows_create_on_update = true,
             .print = PrintEndpoints},
    Strategy{.type = core::Event::kTypeId,
             .dependents = DependentsRule::Unsupported,
             .allows_create_on_update = true,
             .print = PrintEvent},
    Strategy{.type = events::Event::kTypeId,
             .dependents = DependentsRule::Unsupported,
             .allows_create_on_update = true,
             .print = PrintEvent},
    Strategy{.type = core::ReplicationController::kTypeId,
             .store_prefix = "controllers",
             .generation = Generation::OnSpec,
             .dependents = DependentsRule::Orphan,
             .print = PrintReplicationController},
    Strategy{.type = core::ConfigMap::kTypeId, .print = PrintConfigMap},
    Strategy{.type = core::Secret::kTypeId, .print = PrintSecret},
    Strategy{.type = apps::Deployment::kTypeId,
             .generation = Generation::OnSpecOrAnnotations,
             .status_meta = StatusMetaRule::AllButLabels,
             .print = PrintDeployment},
    Strategy{.type = apps::ReplicaSet::kTypeId,
             .generation = Generation::OnSpec,
             .print = PrintReplicaSet},
    Strategy{.type = apps::StatefulSet::kTypeId,
             .generation = Generation::OnSpec,
             .print = PrintStatefulSet},
    Strategy{.type = apps::DaemonSet::kTypeId,
             .generation = Generation::OnSpec,
             .prepare_create = kinds::CreateDaemonSet,
             .prepare_update = kinds::UpdateDaemonSet,
             .print = PrintDaemonSet},
    Strategy{.type = apps::ControllerRevision::kTypeId, .print = PrintControllerRevision},
    Strategy{.type = batch::Job::kTypeId,
             .generation = Generation::OnSpec,
             .dependents = DependentsRule::Orphan,
             .prepare_create = kinds::CreateJob,
             .print = PrintJob},
    Strategy{.type = policy::PodDisruptionBudget::kTypeId,
             .generation = Generation::OnSpec,
             .allows_unconditional_update = false,
             .print = PrintDisruptionBudget},
    Strategy{.type = flows::FlowSchema::kTypeId,
             .generation = Generation::OnSpec,
             .status_meta = StatusMetaRule::ManagedFieldsOnly,
             .allows_unconditional_update = false,
             .print = PrintFlowSchema,
             .print_order = "spec.matchingPrecedence"},
    Strategy{.type = flows::PriorityLevelConfiguration::kTypeId,
             .generation = Generation::OnSpec,
             .status_meta = StatusMetaRule::ManagedFieldsOnly,
             .allows_unconditional_update = false,
             .print = PrintPriorityLevel},
    Strategy{.type = scheduling::PriorityClass::kTypeId,
             .generation = Generation::OnceOnly,
             .print = PrintPriorityClass},
    Strategy{.type = coordination::Lease::kTypeId,
             .allows_create_on_update = true,
             .allows_unconditional_update = false,
             .print = PrintLease},
    Strategy{.type = node::RuntimeClass::kTypeId,
             .allows_create_on_update = true,
             .allows_unconditional_update = false,
             .print = PrintRuntimeClass},
    Strategy{.type = plimsoll_io::NodeTaintRule::kTypeId,
             .generation = Generation::OnSpec,
             .status_meta = StatusMetaRule::ManagedFieldsOnly,
             .print = PrintNodeTaintRule},
    Strategy{.type = rbac::Role::kTypeId, .allows_create_on_update = true},
    Strategy{.type = rbac::RoleBinding::kTypeId,
             .allows_create_on_update = true,
             .print = PrintRoleBinding},
    Strategy{.type = rbac::ClusterRole::kTypeId, .allows_create_on_update = true},
    Strategy{.type = rbac::ClusterRoleBinding::kTypeId,
             .allows_create_on_update = true,
             .print = PrintRoleBinding},
    Strategy{.type = storage::StorageClass::kTypeId,
             .returns_deleted = true,
             .print = PrintStorageClass},
    Strategy{.type = storage::CSINode::kTypeId,
             .allows_unconditional_update = false,
             .returns_deleted = true,
             .print = PrintCsiNode},
    Strategy{.type = storage::CSIDriver::kTypeId,
             .generation = Generation::OnSpec,
             .allows_unconditional_update = false,
             .returns_deleted = true,
             .print = PrintCsiDriver},
    Strategy{.type = storage::CSIStorageCapacity::kTypeId, .allows_unconditional_update = false},
    Strategy{.type = storage::VolumeAttachment::kTypeId,
             .status_meta = StatusMetaRule::ManagedFieldsOnly,
             .allows_unconditional_update = false,
             .returns_deleted = true,
             .print = PrintVolumeAttachment},
    Strategy{.type = devices::ResourceClaim::kTypeId,
             .status_meta = StatusMetaRule::ManagedFieldsOnly,
             .returns_deleted = true,
             .prepare_status = kinds::UpdateResourceClaimStatus,
             .print = PrintResourceClaim},
    Strategy{.type = devices::ResourceClaimTemplate::kTypeId,
             .returns_deleted = true,
             .print = PrintNameAndAge},
    Strategy{.type = devices::DeviceClass::kTypeId,
             .generation = Generation::OnSpec,
             .returns_deleted = true,
             .print = PrintNameAndAge},
    Strategy{.type = devices::ResourceSlice::kTypeId,
             .generation = Generation::OnSpec,
             .returns_deleted = true,
             .prepare_create = kinds::CreateSlice,
             .prepare_update = kinds::UpdateSlice,
             .print = PrintResourceSlice},
    // v1 behaves like newer kinds: no update without resourceVersion, a Status for a delete.
    Strategy{.type = devices::DeviceTaintRule::kTypeId,
             .version = "v1",
             .generation = Generation::OnSpec,
             .status_meta = StatusMetaRule::ManagedFieldsOnly,
             .allows_unconditional_update = false,
             .prepare_create = kinds::CreateTaintRule,
             .prepare_update = kinds::UpdateTaintRule,
             .print = PrintDeviceTaintRule},
    Strategy{.type = devices::DeviceTaintRule::kTypeId,
             .generation = Generation::OnSpec,
             .status_meta = StatusMetaRule::ManagedFieldsOnly,
             .returns_deleted = true,
             .prepare_create = kinds::CreateTaintRule,
             .prepare_update = kinds::UpdateTaintRule,
             .print = PrintDeviceTaintRule},
};

constexpr Strategy kDefault;

}  // namespace

const Strategy& StrategyOf(const api::KindDesc& kind) {
  const auto found = std::ranges::find_if(kStrategies, [&](const Strategy& row) {
    return row.type == kind.type->id && (row.version.empty() || row.version == kind.version);
  });
  return found == kStrategies.end() ? kDefault : *found;
}

}  // namespace plimsoll::apiserver
