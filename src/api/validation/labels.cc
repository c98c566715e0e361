#include "api/validation/labels.h"

#include <algorithm>
#include <string>

#include "api/validation/field_checks.h"
#include "base/text/ascii.h"

namespace plimsoll::api {
namespace {

constexpr std::size_t kAnnotationsBytesMax = 256 * 1024;

void ValidateRequirement(const LabelSelectorRequirement& requirement, bool allow_invalid_values,
                         const FieldPath& at, FieldErrors& errors) {
  const FieldPath values_path = at / "values";
  if (requirement.op == "In" || requirement.op == "NotIn") {
    if (requirement.values.empty()) {
      errors.Required(values_path, "must be specified when `operator` is 'In' or 'NotIn'");
    }
  } else if (requirement.op == "Exists" || requirement.op == "DoesNotExist") {
    if (!requirement.values.empty()) {
      errors.Forbidden(values_path,
                       "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    }
  } else {
    errors.Invalid(at / "operator", BadValue::TypedString(requirement.op),
                   "not a valid selector operator");
  }
  ValidateLabelName(requirement.key, at / "key", errors);
  if (allow_invalid_values) return;
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    AddFaults(values_path[i], requirement.values[i], CheckLabelValue(requirement.values[i]),
              errors);
  }
}

}  // namespace

void ValidateLabelName(std::string_view name, const FieldPath& at, FieldErrors& errors) {
  AddFaults(at, name, CheckQualifiedName(name), errors);
}

void ValidateLabels(const StringMap& labels, const FieldPath& at, FieldErrors& errors) {
  for (const auto& [key, value] : labels) {
    ValidateLabelName(key, at, errors);
    AddFaults(at, value, CheckLabelValue(value), errors);
  }
}

void ValidateAnnotations(const StringMap& annotations, const FieldPath& at, FieldErrors& errors) {
  std::size_t bytes = 0;
  std::string lower;
  for (const auto& [key, value] : annotations) {
    bytes += key.size() + value.size();
    if (CheckQualifiedName(key).empty()) continue;
    lower.assign(key);
    std::ranges::transform(lower, lower.begin(), ToLower);
    AddFaults(at, key, CheckQualifiedName(lower), errors);
  }
  if (bytes > kAnnotationsBytesMax) errors.TooLong(at, kAnnotationsBytesMax);
}

void ValidateLabelSelector(const LabelSelector& selector, bool allow_invalid_values,
                           const FieldPath& at, FieldErrors& errors) {
  ValidateLabels(selector.match_labels, at / "matchLabels", errors);
  const FieldPath expressions = at / "matchExpressions";
  for (std::size_t i = 0; i < selector.match_expressions.size(); ++i) {
    ValidateRequirement(selector.match_expressions[i], allow_invalid_values, expressions[i],
                        errors);
  }
}

bool HasFault(const LabelSelector& selector) {
  FieldErrors errors;
  ValidateLabelSelector(selector, false, FieldPath(""), errors);
  return !errors.empty();
}

}  // namespace plimsoll::api
