#include "dra/capacity.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string_view>

#include "base/go_text.h"

namespace plimsoll::dra {
namespace {

using api::CapacityRange;
using api::CapacityRequestPolicy;
using api::NamedQuantity;
using Taken = std::expected<Quantity, std::string>;

constexpr std::int64_t kIntMax = std::numeric_limits<std::int64_t>::max();
// NOLINTNEXTLINE(readability-identifier-naming): a type of the compiler.
__extension__ using Wide = __int128;

const Quantity* Find(std::span<const NamedQuantity> amounts, std::string_view name) {
  const auto at = std::ranges::lower_bound(amounts, name, {}, &NamedQuantity::name);
  return at == amounts.end() || at->name != name ? nullptr : &at->value;
}

const CapacityRequestPolicy* FindPolicy(const api::Device& device, std::string_view name) {
  const auto at = std::ranges::find(device.request_policies, name, &api::NamedRequestPolicy::name);
  return at == device.request_policies.end() ? nullptr : &at->policy;
}

/// Returns the quantity in thousandths, if that is exact.
std::optional<std::int64_t> ExactMilli(const Quantity& quantity) {
  const std::int64_t milli = quantity.MilliValue();
  if (Quantity::FromMilli(milli, quantity.format()) != quantity) return std::nullopt;
  return milli;
}

/// Returns true if all values of the range are exact in thousandths; otherwise whole units count.
bool CountsInMilli(const CapacityRange& range) {
  if (!ExactMilli(range.min) || (range.max && !ExactMilli(*range.max))) return false;
  return !range.step || ExactMilli(*range.step).value_or(0) >= 1;
}

Taken NotRepresentable(const std::string& why) {
  return std::unexpected(
      "capacity request cannot be represented in the device's range arithmetic: " + why);
}

/// Returns the least of min, min + step, … that is at least `wanted`. REQUIRES: `wanted` >= min.
std::optional<std::int64_t> RoundUp(std::int64_t wanted, std::int64_t min, std::int64_t step) {
  if (step <= 0) return wanted;
  const Wide beyond = Wide{wanted} - min;
  const Wide steps = beyond / step + (beyond % step != 0 ? 1 : 0);
  const Wide rounded = min + steps * step;
  if (rounded > kIntMax) return std::nullopt;
  return static_cast<std::int64_t>(rounded);
}

Taken RoundUp(const Quantity& wanted, const CapacityRange& range) {
  if (wanted.Compare(range.min) < 0) return range.min;
  if (!range.step) return wanted;
  const Quantity::Format format = range.step->format();
  if (CountsInMilli(range)) {
    const auto milli = ExactMilli(wanted);
    if (!milli) {
      return NotRepresentable("request " + wanted.Text() + " is not a representable milli value");
    }
    const auto rounded = RoundUp(*milli, range.min.MilliValue(), range.step->MilliValue());
    if (!rounded) {
      return NotRepresentable("rounding request " + wanted.Text() +
                              " up to the next step passes the milli-value range");
    }
    return *rounded % 1000 == 0 ? Quantity::FromInt(*rounded / 1000, format)
                                : Quantity::FromMilli(*rounded, format);
  }
  if (wanted.Compare(Quantity::FromInt(kIntMax)) > 0) {
    return NotRepresentable("request " + wanted.Text() + " exceeds MaxInt64");
  }
  const auto rounded = RoundUp(wanted.Value(), range.min.Value(), range.step->Value());
  if (!rounded) {
    return NotRepresentable("rounding request " + wanted.Text() +
                            " up to the next step passes MaxInt64");
  }
  return Quantity::FromInt(*rounded, format);
}

Taken TakenOf(const Quantity* wanted, const Quantity& total, const CapacityRequestPolicy* policy) {
  if (wanted == nullptr) return policy != nullptr && policy->default_ ? *policy->default_ : total;
  if (policy == nullptr) return *wanted;
  if (policy->valid_range) return RoundUp(*wanted, *policy->valid_range);
  for (const Quantity& valid : policy->valid_values) {
    if (wanted->Compare(valid) <= 0) return valid;
  }
  return *wanted;
}

bool IsInRange(const Quantity& taken, const CapacityRange& range) {
  if (range.max && taken.Compare(*range.max) > 0) return false;
  if (!range.step) return true;
  const bool in_milli = CountsInMilli(range);
  if (in_milli && !ExactMilli(taken)) return false;
  const Wide value = in_milli ? taken.MilliValue() : taken.Value();
  const Wide min = in_milli ? range.min.MilliValue() : range.min.Value();
  const std::int64_t step = in_milli ? range.step->MilliValue() : range.step->Value();
  return step == 0 || (value - min) % step == 0;
}

bool IsPermitted(const Quantity& taken, const CapacityRequestPolicy* policy) {
  if (policy == nullptr || (policy->default_ && taken == *policy->default_)) return true;
  if (policy->valid_range) return IsInRange(taken, *policy->valid_range);
  return policy->valid_values.empty() ||
         std::ranges::find(policy->valid_values, taken) != policy->valid_values.end();
}

bool HasCapacity(const api::Device& device, std::string_view name) {
  return std::ranges::find(device.facts.capacity, name, &cel::DeviceCapacity::name) !=
         device.facts.capacity.end();
}

}  // namespace

std::expected<std::optional<Amounts>, std::string> TakenCapacity(
    const api::Device& device, std::span<const NamedQuantity> requested) {
  for (const NamedQuantity& request : requested) {
    if (!HasCapacity(device, request.name)) return std::nullopt;
  }
  Amounts taken;
  taken.reserve(device.facts.capacity.size());
  // Check all amounts for errors first, so that the result does not depend on the order of names.
  for (const cel::DeviceCapacity& capacity : device.facts.capacity) {
    auto amount =
        TakenOf(Find(requested, capacity.name), capacity.value, FindPolicy(device, capacity.name));
    if (amount && amount->sign() < 0) amount = std::unexpected("capacity value is negative");
    if (!amount) {
      return std::unexpected("capacity " + GoQuote(capacity.name) + ": " + amount.error());
    }
    taken.push_back({capacity.name, *std::move(amount)});
  }
  for (const NamedQuantity& amount : taken) {
    if (!IsPermitted(amount.value, FindPolicy(device, amount.name))) return std::nullopt;
  }
  return taken;
}

bool HasLeft(const api::Device& device, const Amounts& wanted, const Amounts& held,
             const Amounts& taking) {
  for (const NamedQuantity& want : wanted) {
    Quantity sum = want.value;
    if (const Quantity* const more = Find(held, want.name)) sum.Add(*more);
    if (const Quantity* const more = Find(taking, want.name)) sum.Add(*more);
    const auto total =
        std::ranges::find(device.facts.capacity, want.name, &cel::DeviceCapacity::name);
    if (sum.Compare(total->value) > 0) return false;
  }
  return true;
}

void AddAmounts(Amounts& to, const Amounts& more) {
  for (const NamedQuantity& amount : more) {
    const auto at = std::ranges::lower_bound(to, amount.name, {}, &NamedQuantity::name);
    if (at != to.end() && at->name == amount.name) {
      at->value.Add(amount.value);
    } else {
      to.insert(at, amount);
    }
  }
}

void SubtractAmounts(Amounts& from, const Amounts& less) {
  for (const NamedQuantity& amount : less) {
    const auto at = std::ranges::find(from, amount.name, &NamedQuantity::name);
    if (at != from.end()) at->value.Sub(amount.value);
  }
}

}  // namespace plimsoll::dra
