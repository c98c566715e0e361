#include "api/validation/job.h"

#include "api/validation/field_checks.h"
#include "api/validation/semantic_diff.h"
#include "api/validation/tree_reads.h"
#include "codec/json.h"

namespace plimsoll::api {
namespace {

using codec::Value;

constexpr FieldPath kSpec("spec");

void CheckImmutable(const Workload& now, const Workload& before, std::string_view key,
                    FieldErrors& errors) {
  const Value* value = MemberOf(now.spec_source, key);
  if (Differences(MemberOf(before.spec_source, key), value, {}).empty()) return;
  errors.Invalid(kSpec / key,
                 value != nullptr ? BadValue::Json(codec::WriteJson(*value)) : BadValue::Null(),
                 "field is immutable");
}

}  // namespace

void ValidateJobNumbers(const Workload& job, FieldErrors& errors) {
  const Value* spec = job.spec_source;
  for (const std::string_view key :
       {"completions", "activeDeadlineSeconds", "backoffLimit", "ttlSecondsAfterFinished",
        "backoffLimitPerIndex", "maxFailedIndexes"}) {
    CheckNonNegative(IntOf(spec, key).value_or(0), kSpec / key, errors);
  }
  const std::string_view mode = TextOf(spec, "completionMode");
  if (!mode.empty()) CheckOneOf(mode, {"Indexed", "NonIndexed"}, kSpec / "completionMode", errors);
  const bool is_indexed = mode == "Indexed";
  if (is_indexed && !IntOf(spec, "completions")) {
    errors.Required(kSpec / "completions", "when completion mode is Indexed");
  }
  if (!is_indexed && IntOf(spec, "backoffLimitPerIndex")) {
    errors.Invalid(kSpec / "backoffLimitPerIndex",
                   BadValue::Int(*IntOf(spec, "backoffLimitPerIndex")),
                   "requires indexed completion mode");
  }
}

void ValidateJobUnchanged(const Workload& now, const Workload& before, FieldErrors& errors) {
  const auto both_are = [&](std::string_view key) {
    return IntOf(now.spec_source, key) == IntOf(now.spec_source, "parallelism") &&
           IntOf(before.spec_source, key) == IntOf(before.spec_source, "parallelism");
  };
  // Completions of an Indexed Job may change together with an equal parallelism.
  const bool is_elastic = TextOf(now.spec_source, "completionMode") == "Indexed" &&
                          IntOf(now.spec_source, "completions") && both_are("completions");
  if (!is_elastic) CheckImmutable(now, before, "completions", errors);
  for (const std::string_view key : {"completionMode", "podFailurePolicy", "backoffLimitPerIndex",
                                     "managedBy", "successPolicy"}) {
    CheckImmutable(now, before, key, errors);
  }
}

}  // namespace plimsoll::api
