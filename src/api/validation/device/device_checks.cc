#include "api/validation/device/device_checks.h"

#include <algorithm>
#include <string>

#include "api/expression/device_selector.h"
#include "api/validation/field_checks.h"
#include "api/validation/labels.h"
#include "api/validation/list_limits.h"
#include "api/validation/seen_texts.h"
#include "api/validation/semantic_diff.h"
#include "api/validation/tolerations.h"
#include "api/validation/tree_reads.h"
#include "base/text/ascii.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

using codec::Value;

constexpr std::size_t kSelectorsMax = 32;
constexpr std::size_t kTolerationsMax = 16;
constexpr std::size_t kConditionsMax = 4;
constexpr std::size_t kRawBytesMax = 10 * 1024;
constexpr std::size_t kDescriptionBytesMax = 1024;
constexpr std::initializer_list<std::string_view> kEffects = {
    device_effect::kNoExecute, device_effect::kNoSchedule, device_effect::kNone};

Toleration ReadToleration(const Value& tree) {
  return {.key = TextOf(&tree, "key"),
          .op = TextOf(&tree, "operator"),
          .value = TextOf(&tree, "value"),
          .effect = TextOf(&tree, "effect"),
          .expression = TextOf(&tree, "expression"),
          .toleration_seconds = IntOf(&tree, "tolerationSeconds")};
}

/// The declarative rule for driver names has its own text for a malformed name.
Faults CaselessFaults(std::string_view name) {
  Faults faults = CheckDns1123Subdomain(Lowered(name));
  static constexpr std::string_view kLower =
      "a lowercase RFC 1123 subdomain must consist of lower "
      "case alphanumeric";
  for (std::string& fault : faults) {
    if (!fault.starts_with(kLower)) continue;
    fault.replace(0, kLower.size(), "an RFC 1123 subdomain must consist of alphanumeric");
    fault.replace(fault.find("'example.com'"), 2, "'E");
  }
  return faults;
}

void CheckConfigDriver(std::string_view name, const FieldPath& at, DeviceFindings& out) {
  if (!out.is_changed) return CheckDriverName(name, at, out.coded);
  if (name.empty()) return out.declared.Required(at, "");
  if (name.size() > kDriverNameBytesMax) out.coded.TooLong(at, kDriverNameBytesMax);
  AddFaults(at, name, CaselessFaults(name), out.declared);
}

void CheckOperator(const Toleration& toleration, const PodValidationOptions& options,
                   const FieldPath& at, DeviceFindings& out) {
  const FieldPath value_path = at / "value";
  const auto op = ParseTolerationOperator(toleration.op);
  if (!op || (IsSemver(*op) && !options.allow_semver_operators) ||
      (IsNumeric(*op) && !options.allow_comparison_operators)) {
    return out.Declared().NotSupported(at / "operator", BadValue::TypedString(toleration.op),
                                       {"Equal", "Exists"});
  }
  if (toleration.key.empty() && *op != TolerationOperator::Exists) {
    out.coded.Invalid(at / "operator", BadValue::TypedString(toleration.op),
                      "operator must be Exists when `key` is empty, which means \"match all values "
                      "and all keys\"");
  }
  if (*op == TolerationOperator::Exists) {
    if (toleration.value.empty()) return;
    return out.coded.Invalid(value_path, toleration.value, "must be empty for operator `Exists`");
  }
  if (*op == TolerationOperator::Equal) {
    return AddFaults(value_path, toleration.value, CheckLabelValue(toleration.value), out.coded);
  }
  ValidateThreshold(*op, toleration.value, value_path, out.coded);
}

void CheckToleration(const Toleration& toleration, const PodValidationOptions& options,
                     const FieldPath& at, DeviceFindings& out) {
  if (!toleration.expression.empty()) {
    return ValidateTolerationExpression(toleration, at / "expression", options, out.coded);
  }
  if (!toleration.key.empty()) ValidateLabelName(toleration.key, at / "key", out.Declared());
  CheckOperator(toleration, options, at, out);
  // Seconds apply to NoExecute only; with other effects they are ignored, not rejected.
  if (!toleration.effect.empty()) {
    CheckOneOf(toleration.effect, kEffects, at / "effect", out.Declared());
  }
}

/// Returns false if there are too many.
bool CheckConditionNames(std::span<const Value> names, const FieldPath& at, DeviceFindings& out) {
  if (!CheckCount(names.size(), kConditionsMax, at, out.Declared())) return false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    ValidateLabelName(names[i].text(), at[i], out.coded);
  }
  return true;
}

/// Formats the list as Go does: a missing list is nil.
BadValue ShownList(const Value* list) {
  return list != nullptr ? BadValue::Json(codec::WriteJson(*list)) : BadValue::Null();
}

}  // namespace

bool CheckCount(std::size_t count, std::size_t count_max, const FieldPath& at,
                FieldErrors& errors) {
  if (count <= count_max) return true;
  errors.TooMany(at, count, count_max);
  return false;
}

void CheckRawObject(const Value* raw, bool stored, const FieldPath& at, FieldErrors& errors) {
  if (raw == nullptr || raw->is_null()) return errors.Required(at, "");
  if (!stored && codec::WriteJson(*raw).size() > kRawBytesMax) {
    return errors.TooLong(at, kRawBytesMax);
  }
  if (!raw->is_object()) errors.Invalid(at, "<value omitted>", "must be a valid JSON object");
}

void CheckConfiguration(const Value& config, bool stored, const FieldPath& at,
                        DeviceFindings& out) {
  const FieldPath opaque_path = at / "opaque";
  const Value* const opaque = config.Find("opaque");
  if (opaque == nullptr) return out.coded.Required(opaque_path, "");
  CheckConfigDriver(TextOf(opaque, "driver"), opaque_path / "driver", out);
  CheckRawObject(opaque->Find("parameters"), stored, opaque_path / "parameters", out.coded);
}

std::uint64_t CheckDeviceSelectors(std::span<const Value> selectors, bool stored,
                                   const FieldPath& at, DeviceFindings& out) {
  if (!CheckCount(selectors.size(), kSelectorsMax, at, out.Declared())) return 0;
  const cel::DeviceMode mode = stored ? cel::DeviceMode::Stored : cel::DeviceMode::New;
  std::uint64_t cost = 0;
  for (std::size_t i = 0; i < selectors.size(); ++i) {
    const FieldPath selector_path = at[i];
    const FieldPath cel_path = selector_path / "cel";
    const Value* const selector = selectors[i].Find("cel");
    if (selector == nullptr) {
      out.coded.Required(cel_path, "");
      continue;
    }
    const FieldPath expression_path = cel_path / "expression";
    const std::string_view expression = TextOf(selector, "expression");
    if (expression.size() > kDeviceSelectorBytesMax) {
      out.coded.TooLong(expression_path, kDeviceSelectorBytesMax);
      continue;
    }
    AddExpressionFault(CheckDeviceSelector(expression, mode, &cost), expression, expression_path,
                       out.coded);
  }
  if (!stored && cost > kExpressionsCostMax) out.coded.Forbidden(at, TooCostlyText(cost));
  return cost;
}

void CheckDeviceTaint(const Value* taint, const Value* before, const FieldPath& at,
                      DeviceFindings& out) {
  ValidateLabelName(TextOf(taint, "key"), at / "key", out.coded);
  const std::string_view value = TextOf(taint, "value");
  AddFaults(at / "value", value, CheckLabelValue(value), out.coded);
  const std::string_view effect = TextOf(taint, "effect");
  if (before == nullptr || TextOf(before, "effect") != effect) {
    CheckRequiredOneOf(effect, kEffects, at / "effect", out.Declared());
  }
  if (const auto rate = IntOf(taint, "evictionsPerSecond"); rate && *rate <= 0) {
    out.coded.Invalid(at / "evictionsPerSecond", BadValue::Int(*rate), "must be greater than zero");
  }
  if (TextOf(taint, "description").size() > kDescriptionBytesMax) {
    out.coded.TooLong(at / "description", kDescriptionBytesMax);
  }
  // Unlike driver parameters, it may be any JSON value.
  const Value* const data = MemberOf(taint, "data");
  if (data != nullptr && codec::WriteJson(*data).size() > kRawBytesMax &&
      !SameMeaning(data, MemberOf(before, "data"))) {
    out.coded.TooLong(at / "data", kRawBytesMax);
  }
}

std::uint64_t CostOfDeviceTolerations(std::span<const Value> tolerations,
                                      const PodValidationOptions& options) {
  std::uint64_t cost = 0;
  if (tolerations.size() > kTolerationsMax) return cost;
  for (const Value& toleration : tolerations) {
    const Toleration read = ReadToleration(toleration);
    cost += CostOfExpressions({&read, 1}, options.expressions);
  }
  return cost;
}

void CheckDeviceTolerations(std::span<const Value> tolerations, const PodValidationOptions& options,
                            const FieldPath& at, DeviceFindings& out) {
  if (!CheckCount(tolerations.size(), kTolerationsMax, at, out.coded)) return;
  for (std::size_t i = 0; i < tolerations.size(); ++i) {
    CheckToleration(ReadToleration(tolerations[i]), options, at[i], out);
  }
}

void CheckBindingConditions(const Value& holder, const FieldPath& at, DeviceFindings& out) {
  const FieldPath conditions_path = at / "bindingConditions";
  const FieldPath failures_path = at / "bindingFailureConditions";
  const auto conditions = ItemsOf(&holder, "bindingConditions");
  const auto failures = ItemsOf(&holder, "bindingFailureConditions");
  CheckConditionNames(conditions, conditions_path, out);
  CheckConditionNames(failures, failures_path, out);
  CheckUnique(conditions, conditions_path, out.coded);
  SeenTexts seen;
  for (const Value& condition : conditions) seen.Insert(condition.text());
  SeenTexts seen_failures;
  for (std::size_t i = 0; i < failures.size(); ++i) {
    const std::string_view failure = failures[i].text();
    if (!seen_failures.Insert(failure)) {
      out.coded.Duplicate(failures_path[i], BadValue::String(failure));
    }
    if (seen.Has(failure)) {
      out.coded.Invalid(failures_path[i], failure,
                        "bindingFailureConditions must not overlap with bindingConditions");
    }
  }
  if (conditions.empty() && !failures.empty()) {
    out.coded.Invalid(conditions_path, ShownList(holder.Find("bindingConditions")),
                      "bindingConditions are required to use bindingFailureConditions");
  }
  if (failures.empty() && !conditions.empty()) {
    out.coded.Invalid(failures_path, ShownList(holder.Find("bindingFailureConditions")),
                      "bindingFailureConditions are required to use bindingConditions");
  }
}

void CheckUnique(std::span<const Value> texts, const FieldPath& at, FieldErrors& errors) {
  SeenTexts seen;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (!seen.Insert(texts[i].text())) {
      errors.Duplicate(at[i], BadValue::String(texts[i].text()));
    }
  }
}

SpecChange::SpecChange(const KindChange& change)
    : now(MemberOf(change.tree(), "spec")),
      before(MemberOf(change.old_tree(), "spec")),
      is_new(change.before == nullptr) {}

bool SpecChange::IsChanged(std::string_view field) const {
  return is_new || !SameMeaning(MemberOf(now, field), MemberOf(before, field));
}

bool SameMeaning(const Value* a, const Value* b) { return Differences(a, b, {}).empty(); }

}  // namespace plimsoll::api
