#include "api/validation/device/capacity.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "api/validation/device/device_checks.h"
#include "api/validation/tree_reads.h"
#include "base/quantity.h"

namespace plimsoll::api {
namespace {

using codec::Value;

constexpr std::size_t kValidValuesMax = 10;

std::optional<Quantity> AmountOf(const Value* value) {
  if (value == nullptr) return std::nullopt;
  Result<Quantity> amount = Quantity::FromScalar(value->is_int() ? std::to_string(value->AsInt())
                                                                 : std::string(value->text()));
  return amount ? std::optional(*std::move(amount)) : std::nullopt;
}

std::optional<Quantity> AmountOf(const Value* object, std::string_view key) {
  return AmountOf(MemberOf(object, key));
}

void CheckValidValues(std::span<const Value> values, const Quantity& preset,
                      const Quantity& capacity, const FieldPath& at, FieldErrors& errors) {
  std::vector<Quantity> amounts;
  for (const Value& value : values) amounts.push_back(AmountOf(&value).value_or(Quantity()));
  for (std::size_t i = 1; i < amounts.size(); ++i) {
    if (amounts[i - 1].Compare(amounts[i]) > 0) {
      errors.Invalid(at[i], amounts[i].Text(), "values must be sorted in ascending order");
    }
  }
  bool is_preset_among_them = false;
  if (CheckCount(amounts.size(), kValidValuesMax, at, errors)) {
    for (std::size_t i = 0; i < amounts.size(); ++i) {
      is_preset_among_them |= amounts[i] == preset;
      if (amounts[i].Compare(capacity) > 0) {
        errors.Invalid(at[i], amounts[i].Text(),
                       "option is larger than capacity value: " + capacity.Text());
      }
    }
    std::set<std::string> seen;
    for (std::size_t i = 0; i < amounts.size(); ++i) {
      const std::string digits = amounts[i].Digits();
      if (!seen.insert(digits).second) errors.Duplicate(at[i], BadValue::String(digits));
    }
  }
  if (!is_preset_among_them) {
    errors.Invalid(at, preset.Text(), "default value is not valid according to the requestPolicy");
  }
}

struct Range {
  Quantity preset;
  Quantity min;
  std::optional<Quantity> max;
  std::optional<Quantity> step;

  /// Ranges with fractions are computed in thousandths.
  bool HasFraction() const {
    const auto is_fraction = [](const Quantity& amount) { return amount.Digits().contains('.'); };
    return is_fraction(preset) || is_fraction(min) || (max && is_fraction(*max)) ||
           (step && is_fraction(*step));
  }
};

void CheckBounds(const Range& range, const Quantity& capacity, const FieldPath& at,
                 FieldErrors& errors) {
  const auto above = [](const Quantity& a, const Quantity& b) { return a.Compare(b) > 0; };
  if (above(range.min, capacity)) {
    errors.Invalid(at / "min", range.min.Text(),
                   "min is larger than capacity value: " + capacity.Text());
  }
  if (above(range.min, range.preset)) {
    errors.Invalid(at / "default", range.preset.Text(),
                   "default is less than min: " + range.min.Text());
  }
  if (!range.max) return;
  if (above(range.min, *range.max)) {
    errors.Invalid(at / "max", range.min.Text(), "min is larger than max: " + range.max->Text());
  }
  if (above(*range.max, capacity)) {
    errors.Invalid(at / "max", range.max->Text(),
                   "max is larger than capacity value: " + capacity.Text());
  }
  if (above(range.preset, *range.max)) {
    errors.Invalid(at / "default", range.preset.Text(),
                   "default is more than max: " + range.max->Text());
  }
}

/// Returns true if 64 bits can represent the amount; otherwise reports an error.
bool CheckCountable(const Quantity& amount, bool in_thousandths, const FieldPath& at,
                    FieldErrors& errors) {
  static const Quantity kMost = Quantity::FromInt(std::numeric_limits<std::int64_t>::max());
  if (in_thousandths) {
    if (Quantity::FromMilli(amount.MilliValue()) == amount) return true;
    errors.Invalid(at, amount.Text(), "value cannot be represented as a milli value");
    return false;
  }
  if (amount.sign() < 0) {
    errors.Invalid(at, amount.Text(), "must be greater than or equal to 0");
    return false;
  }
  if (amount.Compare(kMost) <= 0) return true;
  errors.Invalid(at, amount.Text(), "must not be larger than 9223372036854775807");
  return false;
}

bool AreCountable(const Range& range, bool in_thousandths, const FieldPath& at,
                  FieldErrors& errors) {
  bool all = CheckCountable(range.preset, in_thousandths, at / "default", errors);
  all &= CheckCountable(range.min, in_thousandths, at / "min", errors);
  if (range.max) all &= CheckCountable(*range.max, in_thousandths, at / "max", errors);
  if (range.step) all &= CheckCountable(*range.step, in_thousandths, at / "step", errors);
  return all;
}

/// Reports an amount that is not the minimum plus a multiple of the step.
void CheckOnStep(const Quantity& amount, const Range& range, bool in_thousandths,
                 const FieldPath& at, FieldErrors& errors) {
  const auto count = [&](const Quantity& one) {
    return in_thousandths ? one.MilliValue() : one.Value();
  };
  const std::int64_t step = count(*range.step);
  const auto beyond_step = [&](const Quantity& one) {
    const std::int64_t rest = count(one) % step;
    return rest < 0 ? rest + step : rest;
  };
  if (beyond_step(amount) == beyond_step(range.min)) return;
  errors.Invalid(at, amount.Text(),
                 "value is not a multiple of a given step (" + range.step->Text() + ") from (" +
                     range.min.Text() + ")");
}

void CheckSteps(const Range& range, const Quantity& capacity, const FieldPath& at,
                FieldErrors& errors) {
  const bool in_thousandths = range.HasFraction();
  if (in_thousandths && !AreCountable(range, true, at, errors)) return;
  if (!range.step) return;
  const FieldPath step_path = at / "step";
  if (range.step->sign() <= 0) {
    return errors.Invalid(step_path, range.step->Text(), "must be greater than zero");
  }
  Quantity first = range.min;
  first.Add(*range.step);
  if (first.Compare(capacity) > 0) {
    errors.Invalid(
        step_path, range.step->Text(),
        "one step " + first.Text() + " is larger than capacity value: " + capacity.Text());
  }
  if (!in_thousandths && !AreCountable(range, false, at, errors)) return;
  CheckOnStep(range.preset, range, in_thousandths, step_path, errors);
  if (range.max) CheckOnStep(*range.max, range, in_thousandths, step_path, errors);
}

}  // namespace

void CheckRequestPolicy(const Value& capacity, const FieldPath& at, FieldErrors& errors) {
  const Value* const policy = capacity.Find("requestPolicy");
  const auto values = ItemsOf(policy, "validValues");
  const Value* const range = MemberOf(policy, "validRange");
  if (!values.empty() && range != nullptr) {
    return errors.Forbidden(at,
                            "exactly one policy can be specified, cannot specify "
                            "\"validValues\" and \"validRange\" at the same time");
  }
  if (values.empty() && range == nullptr) return;
  const std::optional<Quantity> preset = AmountOf(policy, "default");
  if (!preset) {
    return errors.Required(at / "default", values.empty() ? "required when validRange is defined"
                                                          : "required when validValues is defined");
  }
  const Quantity total = AmountOf(&capacity, "value").value_or(Quantity());
  if (!values.empty()) {
    return CheckValidValues(values, *preset, total, at / "validValues", errors);
  }
  const FieldPath range_path = at / "validRange";
  const std::optional<Quantity> min = AmountOf(range, "min");
  if (!min) {
    return errors.Required(range_path / "min", "required when validRange is defined");
  }
  const Range read{*preset, *min, AmountOf(range, "max"), AmountOf(range, "step")};
  CheckBounds(read, total, range_path, errors);
  CheckSteps(read, total, range_path, errors);
}

}  // namespace plimsoll::api
