#include "apiserver/admission/pod_security_metrics.h"

namespace plimsoll::apiserver {
namespace {

using api::PodSecurityLevel;
using api::PodSecurityMode;

std::string_view ModeName(PodSecurityMode mode) {
  if (mode == PodSecurityMode::Enforce) return "enforce";
  return mode == PodSecurityMode::Audit ? "audit" : "warn";
}

std::string_view OperationLabel(Operation operation) {
  return operation == Operation::Create ? "create" : "update";
}

std::string_view ResourceLabel(const AdmissionAttributes& attributes) {
  if (attributes.resource->is_namespaces()) return "namespace";
  return attributes.resource->kind->kind == "Pod" ? "pod" : "controller";
}

/// Privileged is `latest` in every version. All versions that do not exist yet are `future`.
std::string VersionLabel(const api::LevelVersion& policy) {
  if (policy.level == PodSecurityLevel::Privileged) return "latest";
  if (policy.version.minor.value_or(0) > api::kPodSecurityNewestMinor) return "future";
  return policy.version.Text();
}

bool IsPlainPod(const AdmissionAttributes& attributes) {
  return attributes.subresource.empty() && attributes.resource->kind->kind == "Pod";
}

}  // namespace

PodSecurityMetrics::PodSecurityMetrics(MetricsRegistry& metrics)
    : evaluations_(metrics.AddCounters(
          {.name = "pod_security_evaluations_total",
           .help = "Number of policy evaluations that occurred, not counting ignored or exempt "
                   "requests.",
           .labels = {"decision", "policy_level", "policy_version", "mode", "request_operation",
                      "resource", "subresource"}})),
      exemptions_(metrics.AddCounters(
          {.name = "pod_security_exemptions_total",
           .help = "Number of exempt requests, not counting ignored or out of scope requests.",
           .labels = {"request_operation", "resource", "subresource"}})),
      errors_(metrics.AddCounters(
          {.name = "pod_security_errors_total",
           .help = "Number of errors preventing normal evaluation. Non-fatal errors may result in "
                   "the latest restricted profile being used for evaluation.",
           .labels = {"fatal", "request_operation", "resource", "subresource"}})),
      created_privileged_(
          evaluations_.With({"allow", "privileged", "latest", "enforce", "create", "pod", ""})),
      updated_privileged_(
          evaluations_.With({"allow", "privileged", "latest", "enforce", "update", "pod", ""})) {}

void PodSecurityMetrics::Evaluated(const AdmissionAttributes& attributes,
                                   const api::PodSecurityEvaluation& evaluation) {
  const bool is_common = evaluation.policy.level == PodSecurityLevel::Privileged &&
                         evaluation.mode == PodSecurityMode::Enforce && IsPlainPod(attributes);
  if (is_common) {
    (attributes.operation == Operation::Create ? created_privileged_ : updated_privileged_).Add();
    return;
  }
  evaluations_
      .With({evaluation.is_allowed ? "allow" : "deny",
             api::PodSecurityLevelName(evaluation.policy.level), VersionLabel(evaluation.policy),
             ModeName(evaluation.mode), OperationLabel(attributes.operation),
             ResourceLabel(attributes), attributes.subresource})
      .Add();
}

void PodSecurityMetrics::Exempted(const AdmissionAttributes& attributes) {
  exemptions_
      .With(
          {OperationLabel(attributes.operation), ResourceLabel(attributes), attributes.subresource})
      .Add();
}

void PodSecurityMetrics::Failed(const AdmissionAttributes& attributes, bool is_fatal) {
  errors_
      .With({is_fatal ? "true" : "false", OperationLabel(attributes.operation),
             ResourceLabel(attributes), attributes.subresource})
      .Add();
}

}  // namespace plimsoll::apiserver
