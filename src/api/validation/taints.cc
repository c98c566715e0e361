#include "api/validation/taints.h"

#include <algorithm>
#include <set>
#include <utility>

#include "api/validation/field_checks.h"
#include "api/validation/go_json.h"
#include "api/validation/labels.h"

namespace plimsoll::api {
namespace {

void ValidateTaint(const Taint& taint, const FieldPath& at, FieldErrors& errors) {
  ValidateLabelName(taint.key, at / "key", errors);
  if (const Faults faults = CheckLabelValue(taint.value); !faults.empty()) {
    errors.Invalid(at / "value", taint.value, Joined(faults, ";"));
  }
  CheckRequiredOneOf(taint.effect, {"NoSchedule", "PreferNoSchedule", "NoExecute"}, at / "effect",
                     errors);
}

}  // namespace

void ValidateTaints(std::span<const Taint> taints, const FieldPath& at, FieldErrors& errors) {
  std::set<std::pair<std::string_view, std::string_view>> seen;
  for (std::size_t i = 0; i < taints.size(); ++i) {
    const Taint& taint = taints[i];
    const FieldPath taint_path = at[i];
    ValidateTaint(taint, taint_path, errors);
    if (!seen.emplace(taint.key, taint.effect).second) {
      errors.Duplicate(taint_path, BadValue::Json(GoJson(taint)),
                       "taints must be unique by key and effect pair");
    }
  }
}

}  // namespace plimsoll::api
