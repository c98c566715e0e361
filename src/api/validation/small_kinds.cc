#include <charconv>
#include <string>

#include "api/validation/field_checks.h"
#include "api/validation/go_json.h"
#include "api/validation/kind_checks.h"
#include "api/validation/labels.h"
#include "api/validation/pod_options.h"
#include "api/validation/resources.h"
#include "api/validation/semantic_diff.h"
#include "api/validation/tolerations.h"
#include "api/validation/tree_reads.h"
#include "base/go_text.h"
#include "base/syntax.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

using codec::Value;

constexpr FieldPath kSpec("spec");
constexpr std::int64_t kUserPriorityMax = 1'000'000'000;

/// Returns why a name with the prefix `system-` is rejected; empty if it is valid.
std::string SystemClassFault(std::string_view name, std::int64_t value, bool is_default) {
  std::int64_t want = 0;
  if (name == "system-node-critical") want = 2'000'001'000;
  if (name == "system-cluster-critical") want = 2'000'000'000;
  const std::string text(name);
  if (want == 0) return text + " is not a known system priority class";
  if (value != want) {
    return "value of " + text + " PriorityClass must be " + std::to_string(want);
  }
  return is_default ? "globalDefault of " + text + " PriorityClass must be false" : std::string();
}

std::string AmountJson(const Value* value) {
  return value != nullptr ? codec::WriteJson(*value) : "null";
}

void CheckIntOrPercent(const Value* value, const FieldPath& at, FieldErrors& errors) {
  if (value == nullptr) return;
  if (value->is_int()) return CheckNonNegative(value->AsInt(), at, errors);
  const std::string_view text = value->text();
  const Faults faults = CheckPercent(text);
  AddFaults(at, text, faults, errors);
  if (!faults.empty()) return;
  const std::string_view digits = text.substr(0, text.size() - 1);
  std::int64_t percent = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), percent);
  if (parsed.ec != std::errc() || percent > 100) {
    errors.Invalid(at, BadValue::Json(AmountJson(value)), "must not be greater than 100%");
  }
}

}  // namespace

void ValidateNamespace(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kFinalizers = kSpec / "finalizers";
  for (const Value& item : ItemsOf(MemberOf(change.tree(), "spec"), "finalizers")) {
    const std::string_view name = item.text();
    ValidateLabelName(name, kFinalizers, errors);
    const bool is_known = name == "kubernetes" || name == "orphan" || name == "foregroundDeletion";
    if (name.contains('/') || is_known) continue;
    errors.Invalid(kFinalizers, name,
                   "name is neither a standard finalizer name nor is it fully qualified");
  }
}

void ValidatePriorityClass(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kMetadata("metadata");
  const Value* tree = change.tree();
  const std::int64_t value = IntOf(tree, "value").value_or(0);
  const std::string_view policy = TextOf(tree, "preemptionPolicy");
  if (change.before != nullptr) {
    if (value != IntOf(change.old_tree(), "value").value_or(0)) {
      errors.Forbidden(FieldPath("value"), "may not be changed in an update.");
    }
    if (policy != TextOf(change.old_tree(), "preemptionPolicy")) {
      errors.Invalid(FieldPath("preemptionPolicy"), BadValue::TypedString(policy),
                     "field is immutable");
    }
    return;
  }
  const std::string_view name = change.now.metadata().name;
  if (name.starts_with("system-")) {
    const std::string fault = SystemClassFault(name, value, BoolOf(tree, "globalDefault"));
    if (!fault.empty()) {
      errors.Forbidden(kMetadata / "name",
                       "priority class names with 'system-' prefix are reserved for system use "
                       "only. error: " +
                           fault);
    }
  } else if (value > kUserPriorityMax) {
    errors.Forbidden(FieldPath("value"),
                     "maximum allowed value of a user defined priority is 1000000000");
  }
  CheckRequiredOneOf(policy, {"PreemptLowerPriority", "Never"}, FieldPath("preemptionPolicy"),
                     errors);
}

void ValidateRuntimeClass(const KindChange& change, FieldErrors& errors) {
  const std::string_view handler = TextOf(change.tree(), "handler");
  AddFaults(FieldPath("handler"), handler, CheckDns1123Label(handler), errors);
  const auto options = PodValidationOptions::For(change.context, nullptr);
  static constexpr FieldPath kOverhead("overhead");
  ValidateOverhead(DecodedOf<ResourceList>(MemberOf(change.tree(), "overhead"), "podFixed"),
                   options, kOverhead / "podFixed", errors);
  static constexpr FieldPath kScheduling("scheduling");
  if (const Value* scheduling = MemberOf(change.tree(), "scheduling")) {
    ValidateLabels(DecodedOf<StringMap>(scheduling, "nodeSelector"), kScheduling / "nodeSelector",
                   errors);
    ValidateTolerations(DecodedOf<std::vector<Toleration>>(scheduling, "tolerations"),
                        kScheduling / "tolerations", options, errors);
  }
  if (change.before != nullptr && handler != TextOf(change.old_tree(), "handler")) {
    errors.Invalid(FieldPath("handler"), handler, "field is immutable");
  }
}

void ValidateLease(const KindChange& change, FieldErrors& errors) {
  const Value* spec = MemberOf(change.tree(), "spec");
  const auto seconds = IntOf(spec, "leaseDurationSeconds");
  if (seconds && *seconds <= 0) {
    errors.Invalid(kSpec / "leaseDurationSeconds", BadValue::Int(*seconds),
                   "must be greater than 0");
  }
  CheckNonNegative(IntOf(spec, "leaseTransitions").value_or(0), kSpec / "leaseTransitions", errors);
}

void ValidatePodDisruptionBudget(const KindChange& change, FieldErrors& errors) {
  const Value* spec = MemberOf(change.tree(), "spec");
  const Value* least = MemberOf(spec, "minAvailable");
  const Value* most = MemberOf(spec, "maxUnavailable");
  const Value* selector = MemberOf(spec, "selector");
  const Value* policy = MemberOf(spec, "unhealthyPodEvictionPolicy");
  const auto labels = DecodedOf<LabelSelector>(spec, "selector");
  if (least != nullptr && most != nullptr) {
    errors.Invalid(kSpec,
                   BadValue::Json(R"({"MinAvailable":)" + AmountJson(least) + R"(,"Selector":)" +
                                  (selector != nullptr ? GoJson(labels) : "null") +
                                  R"(,"MaxUnavailable":)" + AmountJson(most) +
                                  R"(,"UnhealthyPodEvictionPolicy":)" + AmountJson(policy) + "}"),
                   "minAvailable and maxUnavailable cannot be both set");
  }
  CheckIntOrPercent(least, kSpec / "minAvailable", errors);
  CheckIntOrPercent(most, kSpec / "maxUnavailable", errors);
  const bool is_lenient =
      change.before != nullptr &&
      HasFault(DecodedOf<LabelSelector>(MemberOf(change.old_tree(), "spec"), "selector"));
  ValidateLabelSelector(labels, is_lenient, kSpec / "selector", errors);
  if (policy != nullptr) {
    CheckOneOf(policy->text(), {"AlwaysAllow", "IfHealthyBudget"},
               kSpec / "unhealthyPodEvictionPolicy", errors);
  }
}

void ValidateControllerRevision(const KindChange& change, FieldErrors& errors) {
  const Value* held = MemberOf(change.tree(), "data");
  if (held == nullptr) errors.Required(FieldPath("data"), "data is mandatory");
  CheckNonNegative(IntOf(change.tree(), "revision").value_or(0), FieldPath("revision"), errors);
  if (change.before == nullptr) return;
  const Value* before = MemberOf(change.old_tree(), "data");
  const bool is_same = before != nullptr && held != nullptr ? *before == *held : before == held;
  if (is_same) return;
  errors.Invalid(FieldPath("data"), BadValue::Json(AmountJson(held)), "field is immutable");
}

void ValidateBinding(const KindChange& change, FieldErrors& errors) {
  static constexpr FieldPath kTarget("target");
  const Value* target = MemberOf(change.tree(), "target");
  const std::string_view kind = TextOf(target, "kind");
  if (!kind.empty() && kind != "Node") {
    errors.NotSupported(kTarget / "kind", BadValue::String(kind), {"Node", "<empty>"});
  }
  if (TextOf(target, "name").empty()) errors.Required(kTarget / "name", "");
}

}  // namespace plimsoll::api
