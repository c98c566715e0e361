#include "api/validation/workload_update.h"

#include <array>
#include <string>
#include <vector>

#include "api/validation/go_json.h"
#include "api/validation/job.h"
#include "api/validation/semantic_diff.h"
#include "codec/json.h"
#include "codec/value.h"

namespace plimsoll::api {
namespace {

using codec::Value;
using namespace std::string_view_literals;

constexpr FieldPath kSpec("spec");

bool SameSelector(const std::optional<LabelSelector>& a, const std::optional<LabelSelector>& b) {
  if (a.has_value() != b.has_value()) return false;
  return !a || GoJson(*a) == GoJson(*b);
}

void ValidateSelectorUnchanged(const Workload& now, const Workload& before, FieldErrors& errors) {
  if (SameSelector(now.selector, before.selector)) return;
  errors.Invalid(kSpec / "selector",
                 now.selector ? BadValue::Json(GoJson(*now.selector)) : BadValue::Null(),
                 "field is immutable");
}

void ValidateStatefulSetUnchanged(const Workload& now, const Workload& before,
                                  FieldErrors& errors) {
  static constexpr std::array kMayChange{"replicas"sv,
                                         "ordinals"sv,
                                         "template"sv,
                                         "updateStrategy"sv,
                                         "revisionHistoryLimit"sv,
                                         "persistentVolumeClaimRetentionPolicy"sv,
                                         "minReadySeconds"sv};
  const bool is_same = SameSelector(now.selector, before.selector) &&
                       Differences(before.spec_source, now.spec_source, kMayChange).empty();
  if (is_same) return;
  errors.Forbidden(
      kSpec,
      "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', "
      "'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and "
      "'minReadySeconds' are forbidden");
}

const Value* Member(const Value* object, std::string_view key) {
  return object != nullptr ? object->Find(key) : nullptr;
}

/// The template of a Job is immutable, except for labels, annotations and scheduling directives
/// of a suspended Job that has never started.
void ValidateJobTemplateUnchanged(const Workload& now, const Workload& before,
                                  FieldErrors& errors) {
  const Value* suspend = Member(before.spec_source, "suspend");
  std::vector<std::string_view> ignored;
  const bool is_suspended = suspend != nullptr && suspend->is_bool() && suspend->AsBool();
  if (is_suspended && before.start_time.empty()) {
    ignored = {"spec.nodeSelector", "spec.affinity.nodeAffinity",
               "spec.tolerations",  "spec.schedulingGates",
               "metadata.labels",   "metadata.annotations"};
  }
  const Value* new_template = Member(now.spec_source, "template");
  if (Differences(Member(before.spec_source, "template"), new_template, ignored).empty()) return;
  errors.Invalid(
      kSpec / "template",
      new_template != nullptr ? BadValue::Json(codec::WriteJson(*new_template)) : BadValue::Null(),
      "field is immutable");
}

}  // namespace

void ValidateUnchangedParts(const Workload& now, const Workload& before, FieldErrors& errors) {
  if (now.kind == WorkloadKind::StatefulSet) {
    return ValidateStatefulSetUnchanged(now, before, errors);
  }
  ValidateSelectorUnchanged(now, before, errors);
  if (now.kind != WorkloadKind::Job) return;
  ValidateJobTemplateUnchanged(now, before, errors);
  ValidateJobUnchanged(now, before, errors);
}

}  // namespace plimsoll::api
