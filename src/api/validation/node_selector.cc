#include "api/validation/node_selector.h"

#include "api/core/version_operand.h"
#include "api/validation/field_checks.h"
#include "api/validation/go_json.h"
#include "api/validation/labels.h"

namespace plimsoll::api {
namespace {

void ValidateVersions(const NodeSelectorRequirement& requirement, const FieldPath& at,
                      FieldErrors& errors) {
  if (requirement.values.size() != 1) {
    errors.Required(at,
                    "must be specified single value when `operator` is 'SemverLt' or 'SemverGt' or "
                    "'SemverEq'");
  }
  for (const std::string_view value : requirement.values) {
    const VersionOperand operand = ParseVersionOperand(value);
    if (operand.version) continue;
    errors.Invalid(at, BadValue::Json(GoJson(requirement.values)), operand.version.error().message);
  }
}

void ValidateOperator(const NodeSelectorRequirement& requirement, bool allow_semver_operators,
                      const FieldPath& at, FieldErrors& errors) {
  const FieldPath values_path = at / "values";
  const auto refuse = [&] {
    errors.Invalid(at / "operator", BadValue::TypedString(requirement.op),
                   "not a valid selector operator");
  };
  const std::optional<NodeSelectorOperator> op = ParseNodeSelectorOperator(requirement.op);
  if (!op) return refuse();
  switch (*op) {
    case NodeSelectorOperator::In:
    case NodeSelectorOperator::NotIn:
      if (!requirement.values.empty()) return;
      return errors.Required(values_path, "must be specified when `operator` is 'In' or 'NotIn'");
    case NodeSelectorOperator::Exists:
    case NodeSelectorOperator::DoesNotExist:
      if (requirement.values.empty()) return;
      return errors.Forbidden(values_path,
                              "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
    case NodeSelectorOperator::Gt:
    case NodeSelectorOperator::Lt:
      if (requirement.values.size() == 1) return;
      return errors.Required(values_path,
                             "must be specified single value when `operator` is 'Lt' or 'Gt'");
    case NodeSelectorOperator::SemverGt:
    case NodeSelectorOperator::SemverLt:
    case NodeSelectorOperator::SemverEq:
      if (!allow_semver_operators) return refuse();
      return ValidateVersions(requirement, values_path, errors);
  }
}

void ValidateExpression(const NodeSelectorRequirement& requirement, const NodeSelectorRules& rules,
                        const FieldPath& at, FieldErrors& errors) {
  ValidateOperator(requirement, rules.allow_semver_operators, at, errors);
  ValidateLabelName(requirement.key, at / "key", errors);
  const bool allow_invalid = ComparesVersions(requirement) ? rules.allow_unusable_versions
                                                           : rules.allow_invalid_label_values;
  if (allow_invalid) return;
  const FieldPath values_path = at / "values";
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    AddFaults(values_path[i], requirement.values[i], CheckLabelValue(requirement.values[i]),
              errors);
  }
}

/// Only metadata.name is supported, with one value.
void ValidateField(const NodeSelectorRequirement& requirement, const FieldPath& at,
                   FieldErrors& errors) {
  const FieldPath values_path = at / "values";
  if (requirement.op != "In" && requirement.op != "NotIn") {
    errors.Invalid(at / "operator", BadValue::TypedString(requirement.op),
                   "not a valid selector operator");
  } else if (requirement.values.size() != 1) {
    errors.Required(values_path,
                    "must be only one value when `operator` is 'In' or 'NotIn' for node field "
                    "selector");
  }
  if (requirement.key != "metadata.name") {
    return errors.Invalid(at / "key", requirement.key, "not a valid field selector key");
  }
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    AddFaults(values_path[i], requirement.values[i], CheckDns1123Subdomain(requirement.values[i]),
              errors);
  }
}

void ValidateNodeSelectorTerm(const NodeSelectorTerm& term, const NodeSelectorRules& rules,
                              const FieldPath& at, FieldErrors& errors) {
  const FieldPath expressions = at / "matchExpressions";
  for (std::size_t i = 0; i < term.match_expressions.size(); ++i) {
    ValidateExpression(term.match_expressions[i], rules, expressions[i], errors);
  }
  const FieldPath fields = at / "matchFields";
  for (std::size_t i = 0; i < term.match_fields.size(); ++i) {
    ValidateField(term.match_fields[i], fields[i], errors);
  }
}

}  // namespace

void ValidateNodeSelector(const NodeSelector& selector, const NodeSelectorRules& rules,
                          const FieldPath& at, FieldErrors& errors) {
  const FieldPath terms = at / "nodeSelectorTerms";
  if (selector.terms.empty()) {
    return errors.Required(terms, "must have at least one node selector term");
  }
  for (std::size_t i = 0; i < selector.terms.size(); ++i) {
    ValidateNodeSelectorTerm(selector.terms[i], rules, terms[i], errors);
  }
}

void ValidatePreferredTerms(std::span<const PreferredSchedulingTerm> terms,
                            const NodeSelectorRules& rules, const FieldPath& at,
                            FieldErrors& errors) {
  NodeSelectorRules lenient = rules;
  lenient.allow_invalid_label_values = true;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    const FieldPath term_path = at[i];
    if (terms[i].weight < 1 || terms[i].weight > 100) {
      errors.Invalid(term_path / "weight", BadValue::Int(terms[i].weight),
                     "must be in the range 1-100");
    }
    ValidateNodeSelectorTerm(terms[i].preference, lenient, term_path / "preference", errors);
  }
}

}  // namespace plimsoll::api
