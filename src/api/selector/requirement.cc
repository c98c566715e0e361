#include "api/selector/requirement.h"

#include <algorithm>
#include <array>

#include "api/field_error.h"
#include "base/go_text.h"
#include "base/syntax.h"

namespace plimsoll::api {
namespace {

struct OperatorText {
  std::string_view name;
  std::string_view infix;  // between key and values
};

constexpr std::array<OperatorText, 9> kTexts{{
    {"in", " in "},
    {"notin", " notin "},
    {"=", "="},
    {"==", "=="},
    {"!=", "!="},
    {"exists", ""},
    {"!", ""},
    {"gt", ">"},
    {"lt", "<"},
}};

const OperatorText& TextsOf(SelectorOperator op) { return kTexts[static_cast<std::size_t>(op)]; }

std::string Joined(const Faults& faults) {
  std::string out;
  for (const std::string& fault : faults) out += (out.empty() ? "" : "; ") + fault;
  return out;
}

BadValue List(std::span<const std::string_view> values) {
  if (values.empty()) return BadValue::Null();
  std::string out = "[";
  for (const std::string_view value : values) {
    if (out.size() > 1) out += ',';
    out += GoJsonQuote(value);
  }
  return BadValue::Json(out + "]");
}

void CheckNumber(std::span<const std::string_view> values, const FieldPath& at,
                 FieldErrors& errors) {
  if (values.size() != 1) {
    errors.Invalid(at, List(values), "for 'Gt', 'Lt' operators, exactly one value is required");
  }
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (GoParseInt(values[i])) continue;
    errors.Invalid(at[i], values[i], "for 'Gt', 'Lt' operators, the value must be an integer");
  }
}

void CheckValueCount(SelectorOperator op, std::span<const std::string_view> values,
                     const FieldPath& at, FieldErrors& errors) {
  switch (op) {
    case SelectorOperator::In:
    case SelectorOperator::NotIn:
      if (!values.empty()) return;
      return errors.Invalid(at, List(values),
                            "for 'in', 'notin' operators, values set can't be empty");
    case SelectorOperator::Equals:
    case SelectorOperator::DoubleEquals:
    case SelectorOperator::NotEquals:
      if (values.size() == 1) return;
      return errors.Invalid(at, List(values),
                            "exact-match compatibility requires one single value");
    case SelectorOperator::Exists:
    case SelectorOperator::DoesNotExist:
      if (values.empty()) return;
      return errors.Invalid(at, List(values),
                            "values set must be empty for exists and does not exist");
    case SelectorOperator::GreaterThan:
    case SelectorOperator::LessThan:
      return CheckNumber(values, at, errors);
  }
}

}  // namespace

std::string_view ToText(SelectorOperator op) { return TextsOf(op).name; }

Result<Requirement> Requirement::Make(std::string_view key, SelectorOperator op,
                                      std::span<const std::string_view> values) {
  static constexpr FieldPath kRoot("");
  static constexpr FieldPath kKey = kRoot / "key";
  static constexpr FieldPath kValues = kRoot / "values";
  FieldErrors errors;
  if (const Faults faults = CheckQualifiedName(key); !faults.empty()) {
    errors.Invalid(kKey, key, Joined(faults));
  }
  CheckValueCount(op, values, kValues, errors);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const Faults faults = CheckLabelValue(values[i]);
    if (faults.empty()) continue;
    const FieldPath at = kValues[i];
    errors.Invalid(at.Key(key), values[i], Joined(faults));
  }
  if (!errors.empty()) return Fail(Reason::Invalid, errors.Text());
  return Requirement(key, op, values);
}

Requirement::Requirement(std::string_view key, SelectorOperator op,
                         std::span<const std::string_view> values)
    : key_(key), op_(op), values_(values.begin(), values.end()) {
  if (op == SelectorOperator::GreaterThan || op == SelectorOperator::LessThan) {
    number_ = GoParseInt(values_.front()).value_or(0);
  }
  std::ranges::sort(values_);
}

bool Requirement::HasValue(std::string_view value) const {
  return std::ranges::find(values_, value) != values_.end();
}

bool Requirement::Matches(const StringMap& labels) const {
  const std::optional<std::string_view> label = labels.Find(key_);
  switch (op_) {
    case SelectorOperator::In:
    case SelectorOperator::Equals:
    case SelectorOperator::DoubleEquals:
      return label && HasValue(*label);
    case SelectorOperator::NotIn:
    case SelectorOperator::NotEquals:
      return !label || !HasValue(*label);
    case SelectorOperator::Exists:
      return label.has_value();
    case SelectorOperator::DoesNotExist:
      return !label.has_value();
    case SelectorOperator::GreaterThan:
    case SelectorOperator::LessThan: {
      if (!label) return false;
      const Result<std::int64_t> number = GoParseInt(*label);
      if (!number) return false;
      return op_ == SelectorOperator::GreaterThan ? *number > number_ : *number < number_;
    }
  }
  return false;
}

std::string Requirement::Text() const {
  std::string out = op_ == SelectorOperator::DoesNotExist ? "!" + key_ : key_;
  out += TextsOf(op_).infix;
  const bool is_set = op_ == SelectorOperator::In || op_ == SelectorOperator::NotIn;
  if (is_set) out += '(';
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (i > 0) out += ',';
    out += values_[i];
  }
  if (is_set) out += ')';
  return out;
}

}  // namespace plimsoll::api
