#include "api/decode/read.h"
#include "api/schema/fields.h"

namespace plimsoll::api {

namespace {

void DecodeEphemeralList(const codec::Value& tree, std::vector<Container>& out) {
  out.reserve(tree.items().size());
  for (const codec::Value& item : tree.items()) DecodeEphemeral(item, out.emplace_back());
}

void DecodeClaimSource(const codec::Value& tree, Volume& out) {
  using F = fields::core_v1::PersistentVolumeClaimVolumeSource;
  DecodeFields(tree, FieldTarget{F::kClaimName, out.claim_name},
               FieldTarget{F::kReadOnly, out.claim_read_only});
}

VolumeKind KindOfVolume(codec::FieldId field) {
  using F = fields::core_v1::Volume;
  switch (field) {
    case F::kPersistentVolumeClaim:
      return VolumeKind::PersistentVolumeClaim;
    case F::kEphemeral:
      return VolumeKind::Ephemeral;
    case F::kCsi:
      return VolumeKind::Csi;
    case F::kAwsElasticBlockStore:
      return VolumeKind::AwsElasticBlockStore;
    case F::kAzureDisk:
      return VolumeKind::AzureDisk;
    case F::kAzureFile:
      return VolumeKind::AzureFile;
    case F::kCinder:
      return VolumeKind::Cinder;
    case F::kGcePersistentDisk:
      return VolumeKind::GcePersistentDisk;
    case F::kIscsi:
      return VolumeKind::Iscsi;
    case F::kPortworxVolume:
      return VolumeKind::PortworxVolume;
    case F::kRbd:
      return VolumeKind::Rbd;
    case F::kVsphereVolume:
      return VolumeKind::VsphereVolume;
    default:
      return VolumeKind::Other;
  }
}

}  // namespace

void Decode(const codec::Value& tree, Volume& out) {
  using F = fields::core_v1::Volume;
  out.source = &tree;
  for (const auto& [key, value, field] : tree.members()) {
    if (field == F::kName) Decode(value, out.name);
    if (field == F::kPersistentVolumeClaim) DecodeClaimSource(value, out);
    const VolumeKind kind = KindOfVolume(field);
    if (kind == VolumeKind::Other) continue;
    out.kind = kind;
    out.disk = &value;
  }
}

void Decode(const codec::Value& tree, PodResourceClaim& out) {
  using F = fields::core_v1::PodResourceClaim;
  DecodeFields(tree, FieldTarget{F::kName, out.name},
               FieldTarget{F::kResourceClaimName, out.resource_claim_name},
               FieldTarget{F::kResourceClaimTemplateName, out.resource_claim_template_name});
}

void Decode(const codec::Value& tree, PodSpec& out) {
  using F = fields::core_v1::PodSpec;
  out.source = &tree;
  for (const auto& [key, value, field] : tree.members()) {
    switch (field) {
      case F::kNodeName:
        Decode(value, out.node_name);
        break;
      case F::kSchedulerName:
        Decode(value, out.scheduler_name);
        break;
      case F::kRestartPolicy:
        Decode(value, out.restart_policy);
        break;
      case F::kDnsPolicy:
        Decode(value, out.dns_policy);
        break;
      case F::kServiceAccountName:
        Decode(value, out.service_account_name);
        break;
      case F::kPriorityClassName:
        Decode(value, out.priority_class_name);
        break;
      case F::kPriority:
        Decode(value, out.priority);
        break;
      case F::kPreemptionPolicy:
        Decode(value, out.preemption_policy);
        break;
      case F::kRuntimeClassName:
        Decode(value, out.runtime_class_name);
        break;
      case F::kTerminationGracePeriodSeconds:
        Decode(value, out.termination_grace_period_seconds);
        break;
      case F::kActiveDeadlineSeconds:
        Decode(value, out.active_deadline_seconds);
        break;
      case F::kHostNetwork:
        Decode(value, out.host_network);
        break;
      case F::kHostname:
        Decode(value, out.hostname);
        break;
      case F::kSubdomain:
        Decode(value, out.subdomain);
        break;
      case F::kNodeSelector:
        Decode(value, out.node_selector);
        break;
      case F::kAffinity:
        Decode(value, out.affinity);
        break;
      case F::kTolerations:
        Decode(value, out.tolerations);
        break;
      case F::kTopologySpreadConstraints:
        Decode(value, out.topology_spread_constraints);
        break;
      case F::kSchedulingGates:
        DecodeTexts(value, fields::core_v1::PodSchedulingGate::kName, out.scheduling_gates);
        break;
      case F::kReadinessGates:
        DecodeTexts(value, fields::core_v1::PodReadinessGate::kConditionType, out.readiness_gates);
        break;
      case F::kImagePullSecrets:
        DecodeTexts(value, fields::core_v1::LocalObjectReference::kName, out.image_pull_secrets);
        break;
      case F::kResourceClaims:
        Decode(value, out.resource_claims);
        break;
      case F::kResources:
        Decode(value, out.resources);
        break;
      case F::kOverhead:
        Decode(value, out.overhead);
        break;
      case F::kInitContainers:
        Decode(value, out.init_containers);
        break;
      case F::kContainers:
        Decode(value, out.containers);
        break;
      case F::kEphemeralContainers:
        DecodeEphemeralList(value, out.ephemeral_containers);
        break;
      case F::kVolumes:
        Decode(value, out.volumes);
        break;
      default:
        break;
    }
  }
}

void Decode(const codec::Value& tree, PodStatus& out) {
  using F = fields::core_v1::PodStatus;
  DecodeFields(tree, FieldTarget{F::kPhase, out.phase},
               FieldTarget{F::kNominatedNodeName, out.nominated_node_name},
               FieldTarget{F::kStartTime, out.start_time});
}

void Decode(const codec::Value& tree, Pod& out) {
  using F = fields::core_v1::Pod;
  DecodeFields(tree, FieldTarget{F::kMetadata, out.metadata}, FieldTarget{F::kSpec, out.spec},
               FieldTarget{F::kStatus, out.status});
}

void Decode(const codec::Value& tree, PodTemplateSpec& out) {
  using F = fields::core_v1::PodTemplateSpec;
  DecodeFields(tree, FieldTarget{F::kMetadata, out.metadata}, FieldTarget{F::kSpec, out.spec});
}

}  // namespace plimsoll::api
