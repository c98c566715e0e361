#include "api/validation/workload.h"

#include <string>
#include <vector>

#include "api/selector/selector.h"
#include "api/validation/field_checks.h"
#include "api/validation/go_json.h"
#include "api/validation/job.h"
#include "api/validation/labels.h"
#include "api/validation/object_meta.h"
#include "api/validation/pod_annotations.h"
#include "api/validation/pod_options.h"
#include "api/validation/pod_spec.h"
#include "api/validation/workload_update.h"
#include "base/assert.h"
#include "codec/value.h"

namespace plimsoll::api {
namespace {

constexpr FieldPath kMetadata("metadata");
constexpr FieldPath kSpec("spec");
constexpr FieldPath kSelector = kSpec / "selector";
constexpr FieldPath kTemplate = kSpec / "template";
constexpr FieldPath kTemplateMetadata = kTemplate / "metadata";
constexpr FieldPath kTemplateSpec = kTemplate / "spec";

struct KindRules {
  NameRule name_rule;
  std::string_view count_field;     // empty: none
  std::string_view empty_selector;  // error for an empty selector; empty: allowed
  bool requires_selector;
  std::string_view bad_selector;  // error for a selector that cannot be evaluated
  std::string_view no_deadline;   // error for activeDeadlineSeconds; empty: allowed
};

const KindRules& RulesOf(WorkloadKind kind) {
  static constexpr KindRules kDeployment{NameRule::Dns1123Subdomain,
                                         "replicas",
                                         "empty selector is invalid for deployment",
                                         true,
                                         "invalid label selector",
                                         "activeDeadlineSeconds in ReplicaSet is not Supported"};
  static constexpr KindRules kStatefulSet{NameRule::Dns1123Label,
                                          "replicas",
                                          "empty selector is invalid for statefulset",
                                          true,
                                          "",
                                          "activeDeadlineSeconds in StatefulSet is not Supported"};
  static constexpr KindRules kDaemonSet{NameRule::Dns1123Subdomain,
                                        "",
                                        "empty selector is invalid for daemonset",
                                        false,
                                        "",
                                        "activeDeadlineSeconds in DaemonSet is not Supported"};
  static constexpr KindRules kJob{NameRule::Dns1123Subdomain, "parallelism", "", false, "", ""};
  switch (kind) {
    case WorkloadKind::Deployment:
    case WorkloadKind::ReplicaSet:
      return kDeployment;
    case WorkloadKind::StatefulSet:
      return kStatefulSet;
    case WorkloadKind::DaemonSet:
      return kDaemonSet;
    case WorkloadKind::Job:
      break;
  }
  return kJob;
}

void ReportMismatch(const Workload& workload, FieldErrors& errors) {
  errors.Invalid(kTemplateMetadata / "labels",
                 BadValue::Json(GoJson(workload.pod_template.metadata.labels)),
                 "`selector` does not match template `labels`");
}

/// Validates the selector of a Deployment, ReplicaSet or StatefulSet. Returns false if it is
/// invalid; upstream then skips the template.
bool ValidateSelector(const Workload& workload, const KindRules& rules, bool allow_invalid_values,
                      FieldErrors& errors) {
  if (!workload.selector) {
    errors.Required(kSelector, "");
    // A missing selector selects nothing, so it does not match the template either.
    ReportMismatch(workload, errors);
    return true;
  }
  ValidateLabelSelector(*workload.selector, allow_invalid_values, kSelector, errors);
  const BadValue shown = BadValue::Json(GoJson(*workload.selector));
  if (workload.selector->empty()) errors.Invalid(kSelector, shown, rules.empty_selector);
  const Result<Selector> selector = Selector::FromObject(&*workload.selector);
  if (!selector) {
    errors.Invalid(kSelector, shown, rules.bad_selector);
    return false;
  }
  if (!selector->Matches(workload.pod_template.metadata.labels)) ReportMismatch(workload, errors);
  return true;
}

void ValidateDaemonSelector(const Workload& workload, const KindRules& rules,
                            bool allow_invalid_values, FieldErrors& errors) {
  const LabelSelector* given = workload.selector ? &*workload.selector : nullptr;
  if (given != nullptr) ValidateLabelSelector(*given, allow_invalid_values, kSelector, errors);
  const Result<Selector> selector = Selector::FromObject(given);
  if (selector && !selector->Matches(workload.pod_template.metadata.labels)) {
    ReportMismatch(workload, errors);
  }
  if (given != nullptr && given->empty()) {
    errors.Invalid(kSelector, BadValue::Json(GoJson(*given)), rules.empty_selector);
  }
}

void ValidateJobSelector(const Workload& workload, bool allow_invalid_values, FieldErrors& errors) {
  if (!workload.selector) return;
  ValidateLabelSelector(*workload.selector, allow_invalid_values, kSelector, errors);
  const Result<Selector> selector = Selector::FromObject(&*workload.selector);
  if (selector && !selector->Matches(workload.pod_template.metadata.labels)) {
    ReportMismatch(workload, errors);
  }
}

/// Returns the volumes that a StatefulSet adds to each of its pods.
std::vector<std::string_view> ClaimVolumes(const Workload& workload) {
  std::vector<std::string_view> names;
  if (workload.kind != WorkloadKind::StatefulSet || workload.spec_source == nullptr) return names;
  const codec::Value* claims = workload.spec_source->Find("volumeClaimTemplates");
  if (claims == nullptr) return names;
  for (const codec::Value& claim : claims->items()) {
    const codec::Value* metadata = claim.Find("metadata");
    const codec::Value* name = metadata != nullptr ? metadata->Find("name") : nullptr;
    if (name != nullptr && name->is_string()) names.push_back(name->text());
  }
  return names;
}

void ValidateRestart(const Workload& workload, const KindRules& rules, FieldErrors& errors) {
  const PodSpec& spec = workload.pod_template.spec;
  const FieldPath policy_path = kTemplateSpec / "restartPolicy";
  if (workload.kind != WorkloadKind::Job) {
    CheckOneOf(spec.restart_policy, {"Always"}, policy_path, errors);
  } else if (spec.restart_policy.empty() || spec.restart_policy == "Always") {
    errors.Required(policy_path, "valid values: \"OnFailure\", \"Never\"");
  } else {
    CheckOneOf(spec.restart_policy, {"OnFailure", "Never"}, policy_path, errors);
  }
  if (spec.active_deadline_seconds && !rules.no_deadline.empty()) {
    errors.Forbidden(kTemplateSpec / "activeDeadlineSeconds", rules.no_deadline);
  }
}

void ValidateSpec(const Workload& workload, const Workload* before,
                  const ValidationContext& context, FieldErrors& errors) {
  const KindRules& rules = RulesOf(workload.kind);
  const PodValidationOptions options = PodValidationOptions::ForTemplate(
      context, before != nullptr ? &before->pod_template.spec : nullptr);
  const bool allow_invalid_values =
      before != nullptr && before->selector && HasFault(*before->selector);
  if (!rules.count_field.empty()) {
    CheckNonNegative(workload.replicas.value_or(0), kSpec / rules.count_field, errors);
  }
  if (workload.kind == WorkloadKind::Job) ValidateJobNumbers(workload, errors);
  switch (workload.kind) {
    case WorkloadKind::Deployment:
    case WorkloadKind::ReplicaSet:
      if (!ValidateSelector(workload, rules, allow_invalid_values, errors)) return;
      break;
    case WorkloadKind::StatefulSet:
      if (!ValidateSelector(workload, rules, allow_invalid_values, errors)) {
        return ValidateRestart(workload, rules, errors);
      }
      break;
    case WorkloadKind::DaemonSet:
      ValidateDaemonSelector(workload, rules, allow_invalid_values, errors);
      break;
    case WorkloadKind::Job:
      break;
  }
  ValidatePodTemplate(workload.pod_template, options, ClaimVolumes(workload), errors);
  ValidateRestart(workload, rules, errors);
  if (workload.kind == WorkloadKind::Job) {
    ValidateJobSelector(workload, allow_invalid_values, errors);
  }
}

}  // namespace

void ValidatePodTemplate(const PodTemplateSpec& pod, const PodValidationOptions& options,
                         std::span<const std::string_view> claim_volumes, FieldErrors& errors) {
  // Upstream omits `metadata` from these two paths.
  ValidateLabels(pod.metadata.labels, kTemplate / "labels", errors);
  const FieldPath annotations_path = kTemplate / "annotations";
  ValidateAnnotations(pod.metadata.annotations, annotations_path, errors);
  ValidatePodAnnotations(pod.metadata.annotations, pod.spec, options, annotations_path, errors);
  ValidatePodSpec(pod.spec, options, kTemplateSpec, errors, claim_volumes);
  if (!pod.spec.ephemeral_containers.empty()) {
    errors.Forbidden(kTemplateSpec / "ephemeralContainers",
                     "ephemeral containers not allowed in pod template");
  }
}

FieldErrors ValidateWorkloadCreate(const Workload& workload, const ValidationContext& context) {
  FieldErrors errors;
  ValidateObjectMeta(workload.metadata, Scope::Namespaced, RulesOf(workload.kind).name_rule,
                     kMetadata, errors);
  ValidateSpec(workload, nullptr, context, errors);
  return errors;
}

FieldErrors ValidateWorkloadUpdate(const Workload& now, const Workload& before,
                                   const ValidationContext& context) {
  PL_ASSERT(now.kind == before.kind);
  FieldErrors errors;
  ValidateObjectMetaUpdate(now.metadata, before.metadata, kMetadata, errors);
  ValidateSpec(now, &before, context, errors);
  ValidateUnchangedParts(now, before, errors);
  return errors;
}

}  // namespace plimsoll::api
