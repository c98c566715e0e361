#include "api/validation/tolerations.h"

#include <algorithm>
#include <array>
#include <set>

#include "api/core/taint.h"
#include "api/validation/field_checks.h"
#include "api/validation/labels.h"
#include "api/validation/list_limits.h"
#include "base/decimal.h"
#include "base/go_text.h"
#include "base/semver.h"

namespace plimsoll::api {
namespace {

constexpr std::uint64_t kExpressionCostMax = 1'000'000;

/// A value that is neither canonical nor a number gets two errors.
void ValidateNumber(std::string_view value, const FieldPath& at, FieldErrors& errors) {
  const DecimalFault fault = ParseDecimal(value).fault;
  if (fault == DecimalFault::None) return;
  if (fault == DecimalFault::Empty) errors.Invalid(at, value, "must be non-empty");
  if (fault == DecimalFault::NotCanonical) {
    errors.Invalid(at, value, "must be a valid decimal integer in canonical form");
  }
  if (const Result<std::int64_t> number = GoParseInt(value); !number) {
    errors.Invalid(at, value, number.error().message);
  }
}

}  // namespace

void ValidateThreshold(TolerationOperator op, std::string_view value, const FieldPath& at,
                       FieldErrors& errors) {
  if (IsNumeric(op)) return ValidateNumber(value, at, errors);
  if (!IsSemver(op)) return;
  if (const Result<Semver> version = ParseSemverTolerant(value); !version) {
    errors.Invalid(at, value, version.error().message);
  }
}

namespace {

void ValidateOperatorAndValue(const Toleration& toleration, const FieldPath& at,
                              const PodValidationOptions& options, FieldErrors& errors) {
  const FieldPath operator_path = at / "operator";
  const std::optional<TolerationOperator> op = ParseTolerationOperator(toleration.op);
  if (!op || (IsSemver(*op) && !options.allow_semver_operators)) {
    return errors.NotSupported(operator_path, BadValue::TypedString(toleration.op),
                               {"Equal", "Exists"});
  }
  if (IsNumeric(*op) && !options.allow_comparison_operators) {
    return errors.NotSupported(operator_path, BadValue::TypedString(toleration.op),
                               {"Equal", "Exists", "Lt", "Gt"});
  }
  switch (*op) {
    case TolerationOperator::Equal:
      // Upstream reports this at the path of the operator.
      if (const Faults faults = CheckLabelValue(toleration.value); !faults.empty()) {
        errors.Invalid(operator_path, toleration.value, Joined(faults, ";"));
      }
      return;
    case TolerationOperator::Exists:
      if (toleration.value.empty()) return;
      return errors.Invalid(operator_path, toleration.value,
                            "value must be empty when `operator` is 'Exists'");
    case TolerationOperator::Lt:
    case TolerationOperator::Gt:
    case TolerationOperator::SemverLt:
    case TolerationOperator::SemverGt:
    case TolerationOperator::SemverEq:
      return ValidateThreshold(*op, toleration.value, at / "value", errors);
  }
}

}  // namespace

void ValidateTolerationExpression(const Toleration& toleration, const FieldPath& at,
                                  const PodValidationOptions& options, FieldErrors& errors) {
  if (!options.allow_expression) {
    return errors.Forbidden(at, "may not be set when the feature gate TaintTolerationCEL is off");
  }
  if (!toleration.key.empty() || !toleration.op.empty() || !toleration.value.empty() ||
      !toleration.effect.empty()) {
    errors.Invalid(at, toleration.expression,
                   "expression cannot be used with key, value, operator, or effect fields");
  }
  if (toleration.expression.size() > kExpressionBytesMax) {
    return errors.TooLong(at, kExpressionBytesMax);
  }
  if (options.expressions == nullptr) return;
  AddExpressionFault(options.expressions->Check(toleration.expression), toleration.expression, at,
                     errors);
}

namespace {

void ValidateToleration(const Toleration& toleration, const FieldPath& at,
                        const PodValidationOptions& options, FieldErrors& errors) {
  if (!toleration.expression.empty()) {
    return ValidateTolerationExpression(toleration, at / "expression", options, errors);
  }
  if (!toleration.key.empty()) ValidateLabelName(toleration.key, at / "key", errors);
  if (toleration.key.empty() && toleration.op != "Exists") {
    errors.Invalid(at / "operator", BadValue::TypedString(toleration.op),
                   "operator must be Exists when `key` is empty, which means \"match all values "
                   "and all keys\"");
  }
  const FieldPath effect_path = at / "effect";
  if (toleration.toleration_seconds && toleration.effect != "NoExecute") {
    errors.Invalid(effect_path, BadValue::TypedString(toleration.effect),
                   "effect must be 'NoExecute' when `tolerationSeconds` is set");
  }
  ValidateOperatorAndValue(toleration, at, options, errors);
  if (!toleration.effect.empty()) {
    CheckOneOf(toleration.effect, {"NoSchedule", "PreferNoSchedule", "NoExecute"}, effect_path,
               errors);
  }
}

}  // namespace

std::uint64_t CostOfExpressions(std::span<const Toleration> tolerations,
                                const ExpressionChecker* checker) {
  std::uint64_t cost = 0;
  if (checker == nullptr) return cost;
  for (const Toleration& toleration : tolerations) {
    const std::string_view expression = toleration.expression;
    // Expressions that are too long are rejected for that and never compiled.
    if (expression.empty() || expression.size() > kExpressionBytesMax) continue;
    // An expression above its own limit counts as the limit: it has an error already.
    cost += std::min(checker->CostMax(expression), kExpressionCostMax);
  }
  return cost;
}

void ValidateTolerations(std::span<const Toleration> tolerations, const FieldPath& at,
                         const PodValidationOptions& options, FieldErrors& errors) {
  std::size_t faults = errors.size();
  for (std::size_t i = 0; i < tolerations.size(); ++i) {
    ValidateToleration(tolerations[i], at[i], options, errors);
  }
  if (options.allow_costly_expressions || errors.size() != faults) return;
  const std::uint64_t cost = CostOfExpressions(tolerations, options.expressions);
  if (cost > kExpressionsCostMax) errors.Forbidden(at, TooCostlyText(cost));
}

void ValidateOnlyAddedTolerations(std::span<const Toleration> now,
                                  std::span<const Toleration> before, const FieldPath& at,
                                  const PodValidationOptions& options, FieldErrors& errors) {
  const auto key = [](const Toleration& one) {
    return std::array{one.key, one.op, one.value, one.effect, one.expression};
  };
  std::set<std::array<std::string_view, 5>> kept;
  for (const Toleration& one : now) kept.insert(key(one));
  std::set<std::array<std::string_view, 5>> former;
  for (const Toleration& one : before) former.insert(key(one));
  // Replacing an expression by another one is a modification.
  const bool has_new_expression = std::ranges::any_of(now, [&](const Toleration& one) {
    return !one.expression.empty() && !former.contains(key(one));
  });
  const bool all_kept = std::ranges::all_of(before, [&](const Toleration& old) {
    return kept.contains(key(old)) || (!old.expression.empty() && !has_new_expression);
  });
  if (!all_kept) {
    return errors.Forbidden(at,
                            "existing toleration can not be modified except its tolerationSeconds");
  }
  ValidateTolerations(now, at, options, errors);
}

}  // namespace plimsoll::api
