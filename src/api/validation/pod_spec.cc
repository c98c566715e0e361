#include "api/validation/pod_spec.h"

#include <limits>

#include "api/validation/affinity.h"
#include "api/validation/containers.h"
#include "api/validation/eviction/pod_responders.h"
#include "api/validation/field_checks.h"
#include "api/validation/go_json.h"
#include "api/validation/labels.h"
#include "api/validation/resources.h"
#include "api/validation/tolerations.h"
#include "api/validation/topology_spread.h"
#include "api/validation/volumes.h"

namespace plimsoll::api {
namespace {

void ValidateResourceClaims(std::span<const PodResourceClaim> claims, const FieldPath& at,
                            FieldErrors& errors) {
  SeenTexts names;
  for (std::size_t i = 0; i < claims.size(); ++i) {
    const PodResourceClaim& claim = claims[i];
    const FieldPath claim_path = at[i];
    const FieldPath name_path = claim_path / "name";
    if (claim.name.empty()) {
      errors.Required(name_path, "");
    } else if (!names.Insert(claim.name)) {
      errors.Duplicate(name_path, BadValue::String(claim.name));
    } else {
      AddFaults(name_path, claim.name, CheckDns1123Label(claim.name), errors);
    }
    if (claim.resource_claim_name && claim.resource_claim_template_name) {
      errors.Invalid(
          claim_path, BadValue::Json(GoJson(claim)),
          "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified");
    }
    if (!claim.resource_claim_name && !claim.resource_claim_template_name) {
      errors.Invalid(claim_path, BadValue::Json(GoJson(claim)),
                     "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
    }
    const auto check_name = [&](const std::optional<std::string_view>& name,
                                const FieldPath& here) {
      if (name) AddFaults(here, *name, CheckDns1123Subdomain(*name), errors);
    };
    check_name(claim.resource_claim_name, claim_path / "resourceClaimName");
    check_name(claim.resource_claim_template_name, claim_path / "resourceClaimTemplateName");
  }
}

/// With hostNetwork, a container's port must equal its host port. A template may omit the host
/// port, because it is defaulted when the pod is created.
void ValidateHostNetworkPorts(const PodSpec& spec, bool is_pod, const FieldPath& at,
                              FieldErrors& errors) {
  if (!spec.host_network) return;
  const FieldPath containers_path = at / "containers";
  for (std::size_t i = 0; i < spec.containers.size(); ++i) {
    const FieldPath container_path = containers_path[i];
    const FieldPath ports_path = container_path / "ports";
    const std::vector<ContainerPort>& ports = spec.containers[i].ports;
    for (std::size_t j = 0; j < ports.size(); ++j) {
      if (ports[j].host_port == ports[j].container_port) continue;
      if (ports[j].host_port == 0 && !is_pod) continue;
      const FieldPath port_path = ports_path[j];
      errors.Invalid(port_path / "hostPort", BadValue::Int(ports[j].host_port),
                     "must match `containerPort` when `hostNetwork` is true");
    }
  }
}

void ValidateGates(const PodSpec& spec, const FieldPath& at, FieldErrors& errors) {
  const FieldPath readiness_path = at / "readinessGates";
  for (std::size_t i = 0; i < spec.readiness_gates.size(); ++i) {
    const FieldPath gate_path = readiness_path[i];
    ValidateLabelName(spec.readiness_gates[i], gate_path / "conditionType", errors);
  }
  const FieldPath scheduling_path = at / "schedulingGates";
  SeenTexts seen;
  for (std::size_t i = 0; i < spec.scheduling_gates.size(); ++i) {
    const std::string_view name = spec.scheduling_gates[i];
    const FieldPath gate_path = scheduling_path[i];
    ValidateLabelName(name, gate_path, errors);
    if (!seen.Insert(name)) errors.Duplicate(gate_path, BadValue::String(name));
  }
}

void ValidateNames(const PodSpec& spec, const FieldPath& at, FieldErrors& errors) {
  const auto check = [&](std::string_view name, Faults (*rule)(std::string_view),
                         const FieldPath& here) {
    if (!name.empty()) AddFaults(here, name, rule(name), errors);
  };
  check(spec.service_account_name, CheckDns1123Subdomain, at / "serviceAccountName");
  check(spec.node_name, CheckDns1123Subdomain, at / "nodeName");
  if (spec.active_deadline_seconds) {
    const std::int64_t seconds = *spec.active_deadline_seconds;
    if (seconds < 1 || seconds > std::numeric_limits<std::int32_t>::max()) {
      errors.Invalid(at / "activeDeadlineSeconds", BadValue::Int(seconds),
                     "must be between 1 and 2147483647, inclusive");
    }
  }
  check(spec.hostname, CheckDns1123Label, at / "hostname");
  check(spec.subdomain, CheckDns1123Label, at / "subdomain");
}

void ValidateClasses(const PodSpec& spec, const FieldPath& at, FieldErrors& errors) {
  if (!spec.priority_class_name.empty()) {
    AddFaults(at / "priorityClassName", spec.priority_class_name,
              CheckDns1123Subdomain(spec.priority_class_name), errors);
  }
  if (spec.runtime_class_name) {
    AddFaults(at / "runtimeClassName", *spec.runtime_class_name,
              CheckDns1123Subdomain(*spec.runtime_class_name), errors);
  }
  if (spec.preemption_policy) {
    CheckRequiredOneOf(*spec.preemption_policy, {"PreemptLowerPriority", "Never"},
                       at / "preemptionPolicy", errors);
  }
}

}  // namespace

void ValidatePodSpec(const PodSpec& spec, const PodValidationOptions& options, const FieldPath& at,
                     FieldErrors& errors, std::span<const std::string_view> claim_volumes) {
  if (!spec.termination_grace_period_seconds) {
    errors.Required(at / "terminationGracePeriodSeconds", "");
  }
  SeenTexts volumes;
  ValidateVolumes(spec.volumes, at / "volumes", volumes, errors);
  for (const std::string_view name : claim_volumes) volumes.Insert(name);
  ValidateResourceClaims(spec.resource_claims, at / "resourceClaims", errors);
  ValidateContainers(spec, volumes, options, at, errors);
  ValidatePodResources(spec, options, at / "resources", errors);
  ValidateHostNetworkPorts(spec, options.is_pod, at, errors);
  CheckRequiredOneOf(spec.restart_policy, {"Always", "OnFailure", "Never"}, at / "restartPolicy",
                     errors);
  CheckRequiredOneOf(spec.dns_policy,
                     {"ClusterFirstWithHostNet", "ClusterFirst", "Default", "None"},
                     at / "dnsPolicy", errors);
  ValidateLabels(spec.node_selector, at / "nodeSelector", errors);
  if (spec.affinity) ValidateAffinity(*spec.affinity, options, at / "affinity", errors);
  ValidateGates(spec, at, errors);
  ValidateTopologySpread(spec.topology_spread_constraints, options,
                         at / "topologySpreadConstraints", errors);
  ValidateNames(spec, at, errors);
  ValidateTolerations(spec.tolerations, at / "tolerations", options, errors);
  ValidateClasses(spec, at, errors);
  ValidateOverhead(spec.overhead, options, at / "overhead", errors);
  ValidateEvictionResponders(spec, at, errors);
}

}  // namespace plimsoll::api
