// Upstream's checks when it builds matchers from a node selector. Validation has rejected most
// errors already, but values of Gt and Lt are checked only here.

#include <algorithm>
#include <array>

#include "api/core/version_operand.h"
#include "base/go_text.h"
#include "base/syntax.h"
#include "match/node_selector.h"

namespace plimsoll::match {
namespace {

using api::BadValue;
using api::FieldErrors;
using api::FieldPath;
using api::NodeSelectorOperator;
using api::NodeSelectorRequirement;

constexpr std::array<std::string_view, 9> kOperators{
    "In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt", "SemverGt", "SemverLt", "SemverEq"};
constexpr std::size_t kOperatorsWithoutSemver = 6;

bool IsSemver(NodeSelectorOperator op) { return op >= NodeSelectorOperator::SemverGt; }

std::string Join(const Faults& faults) {
  std::string out;
  for (const std::string& fault : faults) {
    if (!out.empty()) out += "; ";
    out += fault;
  }
  return out;
}

/// Formats a list of strings as Go does: an empty one is the nil slice.
BadValue ListOf(const std::vector<std::string_view>& values) {
  if (values.empty()) return BadValue::Null();
  std::string json = "[";
  for (std::string_view value : values) {
    if (json.size() > 1) json += ',';
    json += GoJsonQuote(value);
  }
  return BadValue::Json(json + "]");
}

void CheckValuesOf(NodeSelectorOperator op, const NodeSelectorRequirement& requirement,
                   const FieldPath& at, FieldErrors& errors) {
  const auto& values = requirement.values;
  switch (op) {
    case NodeSelectorOperator::In:
    case NodeSelectorOperator::NotIn:
      if (values.empty()) {
        errors.Invalid(at, ListOf(values),
                       "for 'in', 'notin' operators, values set can't be empty");
      }
      return;
    case NodeSelectorOperator::Exists:
    case NodeSelectorOperator::DoesNotExist:
      if (!values.empty()) {
        errors.Invalid(at, ListOf(values),
                       "values set must be empty for exists and does not exist");
      }
      return;
    case NodeSelectorOperator::Gt:
    case NodeSelectorOperator::Lt:
      if (values.size() != 1) {
        errors.Invalid(at, ListOf(values),
                       "for 'Gt', 'Lt' operators, exactly one value is required");
      }
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (LabelInteger(values[i])) continue;
        errors.Invalid(at[i], values[i], "for 'Gt', 'Lt' operators, the value must be an integer");
      }
      return;
    case NodeSelectorOperator::SemverGt:
    case NodeSelectorOperator::SemverLt:
    case NodeSelectorOperator::SemverEq:
      if (values.size() != 1) {
        errors.Invalid(
            at, ListOf(values),
            "for 'SemverGt', 'SemverLt', 'SemverEq' operators, exactly one value is required");
      }
      for (std::size_t i = 0; i < values.size(); ++i) {
        const api::VersionOperand operand = api::ParseVersionOperand(values[i]);
        if (!operand.version) errors.Invalid(at[i], values[i], operand.version.error().message);
      }
      return;
  }
}

void CheckExpression(const NodeSelectorRequirement& requirement, const FieldPath& at,
                     const Rules& rules, FieldErrors& errors) {
  const auto op = api::ParseNodeSelectorOperator(requirement.op);
  if (!op || (IsSemver(*op) && !rules.semver)) {
    const std::size_t known = rules.semver ? kOperators.size() : kOperatorsWithoutSemver;
    errors.NotSupported(at / "operator", BadValue::TypedString(requirement.op),
                        std::span(kOperators).first(known));
    return;
  }
  if (const Faults faults = CheckQualifiedName(requirement.key); !faults.empty()) {
    errors.Invalid(at / "key", requirement.key, Join(faults));
  }
  const FieldPath values_at = at / "values";
  CheckValuesOf(*op, requirement, values_at, errors);
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    const Faults faults = CheckLabelValue(requirement.values[i]);
    if (faults.empty()) continue;
    const FieldPath value_at = values_at[i];
    errors.Invalid(value_at.Key(requirement.key), requirement.values[i], Join(faults));
  }
}

void CheckField(const NodeSelectorRequirement& requirement, const FieldPath& at,
                FieldErrors& errors) {
  if (requirement.op != "In" && requirement.op != "NotIn") {
    errors.NotSupported(at / "operator", BadValue::TypedString(requirement.op), {"In", "NotIn"});
  } else if (requirement.values.size() != 1) {
    errors.Invalid(at / "values", ListOf(requirement.values), "must have one element");
  }
}

}  // namespace

bool CanCount(const api::PreferredSchedulingTerm& term, const Rules& rules) {
  if (term.weight == 0 || IsEmpty(term.preference)) return false;
  return rules.semver ||
         std::ranges::none_of(term.preference.match_expressions, [](const auto& requirement) {
           const auto op = api::ParseNodeSelectorOperator(requirement.op);
           return op && IsSemver(*op);
         });
}

void CheckTerm(const api::NodeSelectorTerm& term, const FieldPath& at, const Rules& rules,
               FieldErrors& errors) {
  const FieldPath expressions_at = at / "matchExpressions";
  for (std::size_t i = 0; i < term.match_expressions.size(); ++i) {
    CheckExpression(term.match_expressions[i], expressions_at[i], rules, errors);
  }
  const FieldPath fields_at = at / "matchFields";
  for (std::size_t i = 0; i < term.match_fields.size(); ++i) {
    CheckField(term.match_fields[i], fields_at[i], errors);
  }
}

}  // namespace plimsoll::match
