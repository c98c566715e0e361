#include "api/validation/affinity.h"

#include "api/validation/field_checks.h"
#include "api/validation/label_keys.h"
#include "api/validation/labels.h"
#include "api/validation/list_limits.h"
#include "api/validation/node_selector.h"

namespace plimsoll::api {
namespace {

constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr std::string_view kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";

void ValidateTerm(const PodAffinityTerm& term, const PodValidationOptions& options,
                  const FieldPath& at, FieldErrors& errors) {
  const bool lenient = options.allow_invalid_label_value_in_selector;
  if (term.label_selector) {
    ValidateLabelSelector(*term.label_selector, lenient, at / "labelSelector", errors);
  }
  if (term.namespace_selector) {
    ValidateLabelSelector(*term.namespace_selector, lenient, at / "namespaceSelector", errors);
  }
  for (const std::string_view name : term.namespaces) {
    AddFaults(at / "namespace", name, CheckDns1123Label(name), errors);
  }
  ValidateLabelKeys(term.match_label_keys, term.mismatch_label_keys, term.label_selector, at,
                    errors);
  const FieldPath topology_path = at / "topologyKey";
  if (term.topology_key.empty()) errors.Required(topology_path, "can not be empty");
  ValidateLabelName(term.topology_key, topology_path, errors);
}

void ValidatePodAffinity(const PodAffinity& affinity, const PodValidationOptions& options,
                         const FieldPath& at, FieldErrors& errors) {
  const FieldPath required_path = at / kRequired;
  const FieldPath preferred_path = at / kPreferred;
  if (!options.allow_long_lists) {
    const auto check = [&](std::size_t count, const FieldPath& here) {
      if (count > kPodAffinityTermsMax) errors.TooMany(here, count, kPodAffinityTermsMax);
    };
    check(affinity.required.size(), required_path);
    check(affinity.preferred.size(), preferred_path);
  }
  for (std::size_t i = 0; i < affinity.required.size(); ++i) {
    ValidateTerm(affinity.required[i], options, required_path[i], errors);
  }
  for (std::size_t i = 0; i < affinity.preferred.size(); ++i) {
    const WeightedPodAffinityTerm& weighted = affinity.preferred[i];
    const FieldPath weighted_path = preferred_path[i];
    if (weighted.weight < 1 || weighted.weight > 100) {
      errors.Invalid(weighted_path / "weight", BadValue::Int(weighted.weight),
                     "must be in the range 1-100");
    }
    ValidateTerm(weighted.term, options, weighted_path / "podAffinityTerm", errors);
  }
}

}  // namespace

void ValidateNodeAffinity(const NodeAffinity& affinity, const PodValidationOptions& options,
                          const FieldPath& at, FieldErrors& errors) {
  const NodeSelectorRules rules{
      .allow_invalid_label_values = options.allow_invalid_label_value_in_node_affinity,
      .allow_semver_operators = options.allow_semver_operators,
      .allow_unusable_versions = options.allow_unusable_versions};
  if (affinity.required) ValidateNodeSelector(*affinity.required, rules, at / kRequired, errors);
  ValidatePreferredTerms(affinity.preferred, rules, at / kPreferred, errors);
}

void ValidateAffinity(const Affinity& affinity, const PodValidationOptions& options,
                      const FieldPath& at, FieldErrors& errors) {
  if (affinity.node_affinity) {
    ValidateNodeAffinity(*affinity.node_affinity, options, at / "nodeAffinity", errors);
  }
  if (affinity.pod_affinity) {
    ValidatePodAffinity(*affinity.pod_affinity, options, at / "podAffinity", errors);
  }
  if (affinity.pod_anti_affinity) {
    ValidatePodAffinity(*affinity.pod_anti_affinity, options, at / "podAntiAffinity", errors);
  }
}

}  // namespace plimsoll::api
