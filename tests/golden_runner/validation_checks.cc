#include <array>
#include <vector>

#include "api/decode/decode.h"
#include "api/schema/conform.h"
#include "api/schema/fields.h"
#include "api/validation/labels.h"
#include "api/validation/node.h"
#include "api/validation/persistent_volume.h"
#include "api/validation/pod.h"
#include "api/validation/pod_update.h"
#include "api/validation/tolerations.h"
#include "base/syntax.h"
#include "validation_cases.h"

namespace plimsoll::golden {
namespace {

using api::FieldErrors;
using codec::Value;
namespace core = api::fields::core_v1;

std::string_view TextOf(const Value* value) {
  return value != nullptr && value->is_string() ? value->text() : std::string_view();
}

/// Removes the diff of two objects, whose text is not stable.
std::string WithoutDiff(std::string text) {
  const std::size_t line = text.find('\n');
  return line == std::string::npos ? text : text.substr(0, line + 1) + "<diff>";
}

Mismatch DifferError(const std::string& where, const Value& want, const api::FieldError& got) {
  const auto text = [&](std::string_view key) { return TextOf(want.Find(key)); };
  Mismatch mismatch = Differ(where + " type", text("type"), CauseReason(got.type));
  if (!mismatch) mismatch = Differ(where + " field", text("field"), got.field);
  if (!mismatch) mismatch = Differ(where + " detail", text("detail"), WithoutDiff(got.detail));
  if (!mismatch) mismatch = Differ(where + " string", text("string"), WithoutDiff(got.Text()));
  const Value* bad_value = want.Find("badValue");
  if (!mismatch && bad_value != nullptr) {
    mismatch = DifferJson(where + " badValue", *bad_value, got.bad_value.json());
  }
  return mismatch;
}

}  // namespace

api::ValidationContext UpstreamContext() {
  api::ValidationContext context;
  using api::Feature;
  context.gates.Set(Feature::TaintTolerationComparisonOperators, false);
  context.gates.Set(Feature::TaintTolerationNodeAffinitySemverComparisonOperators, false);
  context.gates.Set(Feature::TaintTolerationCEL, false);
  return context;
}

Mismatch DifferErrors(const Case& one, std::string_view key, const FieldErrors& got) {
  const Value* want = one.expect.Find(key);
  if (want == nullptr) return std::nullopt;
  const std::span<const Value> items = want->items();
  const std::string name(key);
  for (std::size_t i = 0; i < std::min(items.size(), got.size()); ++i) {
    const std::string where = name + "[" + std::to_string(i) + "]";
    if (Mismatch mismatch = DifferError(where, items[i], got.list()[i])) return mismatch;
  }
  return Differ(name + " count", std::to_string(items.size()), std::to_string(got.size()));
}

namespace {

api::ValidationContext With(api::Feature feature) {
  api::ValidationContext context = UpstreamContext();
  context.gates.Set(feature, true);
  return context;
}

/// Decodes a part of the case's input as this type.
template <class T>
Status Read(Case& one, Value* value, api::TypeId type, T& out) {
  if (value == nullptr || value->is_null()) return {};
  std::vector<api::StrictFinding> findings;
  const Status status = api::Conform(one.document, *value, api::Describe(type),
                                     api::FieldValidation::Ignore, findings);
  if (status) Decode(*value, out);
  return status;
}

template <class T>
Status ReadList(Case& one, Value* value, api::TypeId type, std::vector<T>& out) {
  if (value == nullptr) return {};
  for (Value& item : value->items()) {
    Status status = Read(one, &item, type, out.emplace_back());
    if (!status) return status;
  }
  return {};
}

/// Returns the first difference among the named error lists.
template <class Answer>
Mismatch DifferEach(const Case& one, std::initializer_list<std::string_view> keys,
                    const Answer& answer) {
  for (const std::string_view key : keys) {
    if (Mismatch mismatch = DifferErrors(one, key, answer(key))) return mismatch;
  }
  return std::nullopt;
}

/// Returns a valid pod, into which a case puts its fields.
api::Pod PlainPod() {
  api::Pod pod;
  pod.metadata.name = "p";
  pod.metadata.namespace_ = "default";
  pod.metadata.uid = "u";
  pod.metadata.resource_version = "1";
  pod.spec.restart_policy = "Always";
  pod.spec.dns_policy = "ClusterFirst";
  pod.spec.termination_grace_period_seconds = 30;
  api::Container& container = pod.spec.containers.emplace_back();
  container.name = "c";
  container.image = "img:1";
  container.image_pull_policy = "IfNotPresent";
  container.termination_message_policy = "File";
  return pod;
}

constexpr api::Feature kComparison = api::Feature::TaintTolerationComparisonOperators;

api::ValidationContext ComparisonContext(std::string_view key) {
  return key == "gateOn" ? With(kComparison) : UpstreamContext();
}

Mismatch CheckTolerationsUpdate(Case& one) {
  api::Pod before = PlainPod();
  api::Pod now = PlainPod();
  const Status old_status = ReadList(one, one.input.Find("oldTolerations"),
                                     core::Toleration::kTypeId, before.spec.tolerations);
  const Status new_status = ReadList(one, one.input.Find("newTolerations"),
                                     core::Toleration::kTypeId, now.spec.tolerations);
  if (!old_status || !new_status) return "the input does not decode";
  return DifferEach(one, {"gateOff", "gateOn"}, [&](std::string_view key) {
    return ValidatePodUpdate(now, before, ComparisonContext(key));
  });
}

Mismatch CheckTolerations(Case& one) {
  if (TextOf(one.input.Find("op")) == "podUpdate") return CheckTolerationsUpdate(one);
  std::vector<api::Toleration> tolerations;
  const Status status =
      ReadList(one, one.input.Find("tolerations"), core::Toleration::kTypeId, tolerations);
  if (!status) return status.error().Text();
  return DifferEach(one, {"gateOff", "gateOn"}, [&](std::string_view key) {
    static constexpr api::FieldPath kSpec("spec");
    FieldErrors errors;
    const auto options = api::PodValidationOptions::For(ComparisonContext(key), nullptr);
    ValidateTolerations(tolerations, kSpec / "tolerations", options, errors);
    return errors;
  });
}

Mismatch CheckTaints(Case& one) {
  api::Node node;
  node.metadata.name = "n";
  node.metadata.resource_version = "1";
  const api::Node before = node;
  const Status status =
      ReadList(one, one.input.Find("taints"), core::Taint::kTypeId, node.spec.taints);
  if (!status) return status.error().Text();
  return DifferEach(one, {"errors", "strategyErrors", "updateErrors"}, [&](std::string_view key) {
    return key == "updateErrors" ? ValidateNodeUpdate(node, before) : ValidateNodeCreate(node);
  });
}

/// Returns a valid pod with the scheduling fields of the case.
Status ReadPlacement(Case& one, Value* spec, api::Pod& out) {
  api::PodSpec given;
  const Status status = Read(one, spec, core::PodSpec::kTypeId, given);
  out = PlainPod();
  out.spec.source = given.source;
  out.spec.affinity = std::move(given.affinity);
  out.spec.node_selector = std::move(given.node_selector);
  out.spec.scheduling_gates = std::move(given.scheduling_gates);
  return status;
}

Mismatch CheckPlacementUpdate(Case& one) {
  api::Pod before;
  api::Pod now;
  const Status old_status = ReadPlacement(one, one.input.Find("oldSpec"), before);
  const Status new_status = ReadPlacement(one, one.input.Find("newSpec"), now);
  if (!old_status || !new_status) return "the input does not decode";
  return DifferErrors(one, "errors", ValidatePodUpdate(now, before, UpstreamContext()));
}

Mismatch CheckNodeSelector(Case& one) {
  if (TextOf(one.input.Find("op")) == "podUpdate") return CheckPlacementUpdate(one);
  api::Pod pod = PlainPod();
  if (Value* affinity = one.input.Find("nodeAffinity")) {
    api::NodeAffinity& out = pod.spec.affinity.emplace().node_affinity.emplace();
    const Status status = Read(one, affinity, core::NodeAffinity::kTypeId, out);
    if (!status) return status.error().Text();
  }
  if (const Value* selector = one.input.Find("nodeSelector")) {
    std::vector<api::StringMap::Entry> entries;
    for (const codec::Member& member : selector->members()) {
      entries.emplace_back(member.key, TextOf(&member.value));
    }
    pod.spec.node_selector = api::StringMap(std::move(entries));
  }
  return DifferEach(one, {"errors", "strategyErrors"},
                    [&](std::string_view) { return ValidatePodCreate(pod, UpstreamContext()); });
}

Mismatch CheckVolumes(Case& one) {
  if (TextOf(one.input.Find("op")) == "create") {
    api::PersistentVolume volume;
    const Status status =
        Read(one, one.input.Find("persistentVolume"), core::PersistentVolume::kTypeId, volume);
    if (!status) return status.error().Text();
    return DifferEach(one, {"errors", "strategyErrors"}, [&](std::string_view) {
      return ValidatePersistentVolumeCreate(volume, UpstreamContext());
    });
  }
  api::PersistentVolume before;
  api::PersistentVolume now;
  const Status old_status =
      Read(one, one.input.Find("old"), core::PersistentVolume::kTypeId, before);
  const Status new_status = Read(one, one.input.Find("new"), core::PersistentVolume::kTypeId, now);
  if (!old_status || !new_status) return "the input does not decode";
  return DifferEach(one, {"gateOff", "gateOn"}, [&](std::string_view key) {
    return ValidatePersistentVolumeUpdate(
        now, before,
        key == "gateOn" ? With(api::Feature::MutablePVNodeAffinity) : UpstreamContext());
  });
}

Mismatch CheckPodUpdates(Case& one) {
  api::Pod before;
  api::Pod now;
  const Status old_status = Read(one, one.input.Find("old"), core::Pod::kTypeId, before);
  const Status new_status = Read(one, one.input.Find("new"), core::Pod::kTypeId, now);
  if (!old_status || !new_status) return "the input does not decode";
  return DifferEach(one, {"gateOff", "gateOn", "strategyErrors"}, [&](std::string_view key) {
    const FieldErrors errors = ValidatePodUpdate(now, before, ComparisonContext(key));
    return key == "strategyErrors" ? Distinct(errors) : errors;
  });
}

Mismatch DifferFaults(const Case& one, const Faults& got) {
  const Value* want = one.expect.Find("errors");
  const std::span<const Value> items = want != nullptr ? want->items() : std::span<const Value>();
  for (std::size_t i = 0; i < std::min(items.size(), got.size()); ++i) {
    if (Mismatch mismatch = Differ("message", TextOf(&items[i]), got[i])) return mismatch;
  }
  return Differ("count", std::to_string(items.size()), std::to_string(got.size()));
}

Mismatch CheckLabels(Case& one) {
  const std::string_view op = TextOf(one.input.Find("op"));
  const std::string_view text = TextOf(one.input.Find("s"));
  if (op == "qualifiedName") return DifferFaults(one, CheckQualifiedName(text));
  if (op == "dns1123subdomain") return DifferFaults(one, CheckDns1123Subdomain(text));
  if (op == "dns1123label") return DifferFaults(one, CheckDns1123Label(text));
  if (op == "labelValue") return DifferFaults(one, CheckLabelValue(text));
  if (op == "cIdentifier") return DifferFaults(one, CheckCIdentifier(text));
  if (op == "labels") {
    static constexpr api::FieldPath kMetadata("metadata");
    api::ObjectMeta meta;
    namespace meta_fields = api::fields::meta_v1;
    const Status status = Read(one, &one.input, meta_fields::ObjectMeta::kTypeId, meta);
    if (!status) return status.error().Text();
    FieldErrors errors;
    ValidateLabels(meta.labels, kMetadata / "labels", errors);
    return DifferErrors(one, "errors", errors);
  }
  if (op != "labelSelector") return "unknown op " + std::string(op);
  api::LabelSelector selector;
  const Status status = Read(one, one.input.Find("labelSelector"),
                             api::fields::meta_v1::LabelSelector::kTypeId, selector);
  if (!status) return status.error().Text();
  return DifferEach(one, {"errors", "errorsAllowInvalidValues"}, [&](std::string_view key) {
    static constexpr api::FieldPath kSpec("spec");
    FieldErrors errors;
    ValidateLabelSelector(selector, key == "errorsAllowInvalidValues", kSpec / "selector", errors);
    return errors;
  });
}

}  // namespace

std::span<const Check> ValidationChecks() {
  static constexpr std::array kChecks{
      Check{.kind = "validate_tolerations", .run = CheckTolerations},
      Check{.kind = "validate_taints", .run = CheckTaints},
      Check{.kind = "validate_nodeselector", .run = CheckNodeSelector},
      Check{.kind = "validate_pv_nodeaffinity", .run = CheckVolumes},
      Check{.kind = "validate_labels", .run = CheckLabels},
      Check{.kind = "allowed_pod_updates", .run = CheckPodUpdates},
  };
  return kChecks;
}

}  // namespace plimsoll::golden
