#include "api/validation/conditions.h"

#include <algorithm>
#include <string_view>

#include "api/validation/field_checks.h"
#include "api/validation/labels.h"
#include "api/validation/seen_texts.h"
#include "api/validation/tree_reads.h"
#include "base/text/ascii.h"

namespace plimsoll::api {
namespace {

using codec::Value;

constexpr std::size_t kReasonBytesMax = 1024;
constexpr std::size_t kMessageBytesMax = 32 * 1024;

bool IsWordCharacter(char c) { return IsLetter(c) || IsDigit(c) || c == '_'; }

bool IsReason(std::string_view text) {
  return IsLetter(text.front()) && IsWordCharacter(text.back()) &&
         std::ranges::all_of(text,
                             [](char c) { return IsWordCharacter(c) || c == ',' || c == ':'; });
}

void CheckReason(std::string_view reason, const FieldPath& at, FieldErrors& errors) {
  if (reason.empty()) return errors.Required(at, "must be set");
  if (!IsReason(reason)) {
    errors.Invalid(at, reason,
                   "a condition reason must start with alphabetic character, optionally followed "
                   "by a string of alphanumeric characters or '_,:', and must end with an "
                   "alphanumeric character or '_' (e.g. 'my_name',  or 'MY_NAME',  or 'MyName',  "
                   "or 'ReasonA,ReasonB',  or 'ReasonA:ReasonB', regex used for validation is "
                   "'[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?')");
  }
  if (reason.size() > kReasonBytesMax) errors.TooLong(at, kReasonBytesMax);
}

void CheckCondition(const Value& condition, const FieldPath& at, FieldErrors& errors) {
  ValidateLabelName(TextOf(&condition, "type"), at / "type", errors);
  CheckOneOf(TextOf(&condition, "status"), {"False", "True", "Unknown"}, at / "status", errors);
  const std::int64_t generation = IntOf(&condition, "observedGeneration").value_or(0);
  if (generation < 0) {
    errors.Invalid(at / "observedGeneration", BadValue::Int(generation),
                   "must be greater than or equal to zero");
  }
  if (TextOf(&condition, "lastTransitionTime").empty()) {
    errors.Required(at / "lastTransitionTime", "must be set");
  }
  CheckReason(TextOf(&condition, "reason"), at / "reason", errors);
  if (TextOf(&condition, "message").size() > kMessageBytesMax) {
    errors.TooLong(at / "message", kMessageBytesMax);
  }
}

}  // namespace

void ValidateConditions(std::span<const Value> conditions, const FieldPath& at,
                        FieldErrors& errors) {
  SeenTexts types;
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    const FieldPath condition_path = at[i];
    const std::string_view type = TextOf(&conditions[i], "type");
    if (!types.Insert(type)) {
      errors.Duplicate(condition_path / "type", BadValue::String(type));
    }
    CheckCondition(conditions[i], condition_path, errors);
  }
}

}  // namespace plimsoll::api
