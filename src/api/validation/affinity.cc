#include "api/validation/affinity.h"

#include <algorithm>

#include "api/validation/field_checks.h"
#include "api/validation/labels.h"
#include "api/validation/node_selector.h"
#include "api/validation/seen_texts.h"

namespace plimsoll::api {
namespace {

constexpr std::string_view kRequired = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr std::string_view kPreferred = "preferredDuringSchedulingIgnoredDuringExecution";

void ValidateNodeAffinity(const NodeAffinity& affinity, const PodValidationOptions& options,
                          const FieldPath& at, FieldErrors& errors) {
  const NodeSelectorRules rules{
      .allow_invalid_label_values = options.allow_invalid_label_value_in_node_affinity,
      .allow_semver_operators = options.allow_semver_operators};
  if (affinity.required) ValidateNodeSelector(*affinity.required, rules, at / kRequired, errors);
  ValidatePreferredTerms(affinity.preferred, rules, at / kPreferred, errors);
}

void ValidateLabelKeys(const std::vector<std::string_view>& keys, bool has_selector,
                       const FieldPath& at, FieldErrors& errors) {
  if (keys.empty()) return;
  if (!has_selector) {
    return errors.Forbidden(at, "must not be specified when labelSelector is not set");
  }
  for (std::size_t i = 0; i < keys.size(); ++i) ValidateLabelName(keys[i], at[i], errors);
}

/// `matchLabelKeys` are merged into the selector when the pod is stored; a key that then stands
/// there twice was asked for by the user as well.
void ValidateNoRepeatedMatchKey(const PodAffinityTerm& term, const FieldPath& at,
                                FieldErrors& errors) {
  if (!term.label_selector || term.match_label_keys.empty()) return;
  SeenTexts seen;
  for (const auto& [key, value] : term.label_selector->match_labels) seen.Insert(key);
  for (const LabelSelectorRequirement& expression : term.label_selector->match_expressions) {
    const bool is_new = seen.Insert(expression.key);
    const auto found = std::ranges::find(term.match_label_keys.rbegin(),
                                         term.match_label_keys.rend(), expression.key);
    if (is_new || found == term.match_label_keys.rend()) continue;
    const auto index = static_cast<std::size_t>(term.match_label_keys.rend() - found - 1);
    errors.Invalid(at[index], expression.key, "exists in both matchLabelKeys and labelSelector");
  }
}

void ValidateMatchKeys(const PodAffinityTerm& term, const FieldPath& at, FieldErrors& errors) {
  const bool has_selector = term.label_selector.has_value();
  const FieldPath match_path = at / "matchLabelKeys";
  ValidateLabelKeys(term.match_label_keys, has_selector, match_path, errors);
  ValidateLabelKeys(term.mismatch_label_keys, has_selector, at / "mismatchLabelKeys", errors);
  ValidateNoRepeatedMatchKey(term, at, errors);
  for (std::size_t i = 0; i < term.match_label_keys.size(); ++i) {
    const std::string_view key = term.match_label_keys[i];
    if (std::ranges::find(term.mismatch_label_keys, key) == term.mismatch_label_keys.end()) {
      continue;
    }
    errors.Invalid(match_path[i], key, "exists in both matchLabelKeys and mismatchLabelKeys");
  }
}

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
  ValidateMatchKeys(term, at, errors);
  const FieldPath topology_path = at / "topologyKey";
  if (term.topology_key.empty()) errors.Required(topology_path, "can not be empty");
  ValidateLabelName(term.topology_key, topology_path, errors);
}

void ValidatePodAffinity(const PodAffinity& affinity, const PodValidationOptions& options,
                         const FieldPath& at, FieldErrors& errors) {
  const FieldPath required_path = at / kRequired;
  for (std::size_t i = 0; i < affinity.required.size(); ++i) {
    ValidateTerm(affinity.required[i], options, required_path[i], errors);
  }
  const FieldPath preferred_path = at / kPreferred;
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
