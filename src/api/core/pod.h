#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "api/core/node_selector.h"
#include "api/core/toleration.h"
#include "api/meta/label_selector.h"
#include "api/meta/object_meta.h"
#include "base/quantity.h"

namespace plimsoll::codec {
class Value;
}

/// The parts of a pod that code here reads. Everything else stays in the object's document, which
/// also owns the texts.
namespace plimsoll::api {

/// Resources sorted by name; `text` is the quantity as written, for messages.
struct ResourceAmount {
  std::string_view name;
  std::string_view text;
  Quantity quantity;
};
using ResourceList = std::vector<ResourceAmount>;

struct ContainerResourceClaim {
  std::string_view name;
  std::string_view request;
};

struct ResourceRequirements {
  ResourceList requests;
  ResourceList limits;
  std::vector<ContainerResourceClaim> claims;
};

struct ContainerPort {
  std::string_view name;
  std::string_view protocol;  // TCP by default
  std::string_view host_ip;
  std::int64_t container_port = 0;
  std::int64_t host_port = 0;  // 0: none
};

struct VolumeMount {
  std::string_view name;
  std::string_view mount_path;
};

struct Container {
  std::string_view name;
  std::string_view image;
  std::string_view image_pull_policy;
  std::string_view restart_policy;  // for an init container: Always makes it a sidecar
  std::string_view termination_message_policy;
  ResourceRequirements resources;
  std::vector<ContainerPort> ports;
  std::vector<VolumeMount> volume_mounts;
  const codec::Value* source = nullptr;
};

struct PodAffinityTerm {
  std::optional<LabelSelector> label_selector;
  std::optional<LabelSelector> namespace_selector;
  std::vector<std::string_view> namespaces;
  std::string_view topology_key;
  std::vector<std::string_view> match_label_keys;
  std::vector<std::string_view> mismatch_label_keys;
};

struct WeightedPodAffinityTerm {
  std::int32_t weight = 0;
  PodAffinityTerm term;
};

struct PodAffinity {
  std::vector<PodAffinityTerm> required;
  std::vector<WeightedPodAffinityTerm> preferred;
};

struct Affinity {
  std::optional<NodeAffinity> node_affinity;
  std::optional<PodAffinity> pod_affinity;
  std::optional<PodAffinity> pod_anti_affinity;
};

struct TopologySpreadConstraint {
  std::int64_t max_skew = 0;
  std::string_view topology_key;
  std::string_view when_unsatisfiable;
  std::optional<LabelSelector> label_selector;
  std::optional<std::int64_t> min_domains;
  std::optional<std::string_view> node_affinity_policy;
  std::optional<std::string_view> node_taints_policy;
  std::vector<std::string_view> match_label_keys;
};

struct PodResourceClaim {
  std::string_view name;
  std::optional<std::string_view> resource_claim_name;
  std::optional<std::string_view> resource_claim_template_name;
};

/// Volume sources that placement distinguishes.
enum class VolumeKind : std::uint8_t {
  Other,
  PersistentVolumeClaim,
  Ephemeral,  // a claim named <pod>-<volume> is created for the pod
  Csi,        // inline
  // In-tree disks of upstream.
  AwsElasticBlockStore,
  AzureDisk,
  AzureFile,
  Cinder,
  GcePersistentDisk,
  Iscsi,
  PortworxVolume,
  Rbd,
  VsphereVolume,
};

/// `claim_name` is set for a persistentVolumeClaim; `source` is the whole volume.
struct Volume {
  std::string_view name;
  VolumeKind kind = VolumeKind::Other;
  std::string_view claim_name;
  bool claim_read_only = false;
  const codec::Value* source = nullptr;
  const codec::Value* disk = nullptr;  // the object under the kind's key; null for Other
};

struct PodSpec {
  std::string_view node_name;
  std::string_view scheduler_name;
  std::string_view restart_policy;
  std::string_view dns_policy;
  std::string_view service_account_name;
  std::string_view priority_class_name;
  std::optional<std::int32_t> priority;
  std::optional<std::string_view> preemption_policy;
  std::optional<std::string_view> runtime_class_name;
  std::optional<std::int64_t> termination_grace_period_seconds;
  std::optional<std::int64_t> active_deadline_seconds;
  bool host_network = false;
  std::string_view hostname;
  std::string_view subdomain;
  StringMap node_selector;
  std::optional<Affinity> affinity;
  std::vector<Toleration> tolerations;
  std::vector<TopologySpreadConstraint> topology_spread_constraints;
  std::vector<std::string_view> scheduling_gates;
  std::vector<std::string_view> readiness_gates;
  std::vector<std::string_view> image_pull_secrets;
  std::vector<PodResourceClaim> resource_claims;
  std::optional<ResourceRequirements> resources;  // pod-level resources
  ResourceList overhead;
  std::vector<Container> init_containers;
  std::vector<Container> containers;
  std::vector<Container> ephemeral_containers;
  std::vector<Volume> volumes;
  const codec::Value* source = nullptr;  // the whole spec
};

struct PodStatus {
  std::string_view phase;
  std::string_view nominated_node_name;
  std::string_view start_time;  // RFC 3339; empty when unset
};

struct Pod {
  ObjectMeta metadata;
  PodSpec spec;
  PodStatus status;
};

struct PodTemplateSpec {
  ObjectMeta metadata;
  PodSpec spec;
};

}  // namespace plimsoll::api
