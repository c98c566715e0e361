#include "api/validation/field_checks.h"
#include "api/validation/go_json.h"
#include "api/validation/kind_checks.h"
#include "api/validation/tree_reads.h"
#include "api/validation/workload.h"

namespace plimsoll::api {
namespace {

using codec::Value;

constexpr FieldPath kSpec("spec");
constexpr FieldPath kTemplate = kSpec / "template";
constexpr FieldPath kTemplateMetadata = kTemplate / "metadata";
constexpr FieldPath kTemplateSpec = kTemplate / "spec";

bool Selects(const StringMap& selector, const StringMap& labels) {
  return std::ranges::all_of(
      selector, [&](const auto& entry) { return labels.Find(entry.first) == entry.second; });
}

void CheckTemplate(const StringMap& selector, const Value& given, const Value* before,
                   const ValidationContext& context, FieldErrors& errors) {
  PodTemplateSpec pods;
  Decode(given, pods);
  if (!selector.empty() && !Selects(selector, pods.metadata.labels)) {
    errors.Invalid(kTemplateMetadata / "labels", BadValue::Json(GoJson(pods.metadata.labels)),
                   "`selector` does not match template `labels`");
  }
  PodTemplateSpec former;
  if (before != nullptr) Decode(*before, former);
  const auto options =
      PodValidationOptions::ForTemplate(context, before != nullptr ? &former.spec : nullptr);
  ValidatePodTemplate(pods, options, {}, errors);
  CheckOneOf(pods.spec.restart_policy, {"Always"}, kTemplateSpec / "restartPolicy", errors);
  if (pods.spec.active_deadline_seconds) {
    errors.Forbidden(kTemplateSpec / "activeDeadlineSeconds",
                     "activeDeadlineSeconds in ReplicationController is not Supported");
  }
}

}  // namespace

void ValidateReplicationController(const KindChange& change, FieldErrors& errors) {
  const Value* spec = MemberOf(change.tree(), "spec");
  CheckNonNegative(IntOf(spec, "minReadySeconds").value_or(0), kSpec / "minReadySeconds", errors);
  const auto selector = DecodedOf<StringMap>(spec, "selector");
  if (selector.empty()) errors.Required(kSpec / "selector", "");
  CheckNonNegative(IntOf(spec, "replicas").value_or(0), kSpec / "replicas", errors);
  const Value* pods = MemberOf(spec, "template");
  if (pods == nullptr) return errors.Required(kTemplate, "");
  CheckTemplate(selector, *pods, MemberOf(MemberOf(change.old_tree(), "spec"), "template"),
                change.context, errors);
}

}  // namespace plimsoll::api
