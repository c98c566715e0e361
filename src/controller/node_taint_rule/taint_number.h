#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Values of taints as numbers.
namespace plimsoll::controller {

/// Rounds to the nearest multiple of the step, up if two are equally near. Returns nullopt if the
/// result is negative, which no value of a taint can be, or has more than 15 digits.
/// REQUIRES: step >= 1.
std::optional<std::int64_t> RoundedToStep(double value, std::int64_t step);

/// Returns the value of a taint for a text: a whole number is rounded, any other text stays.
/// Returns nullopt if the result is no valid value of a taint.
std::optional<std::string> TaintValueOf(std::string_view text, std::int64_t step);

/// Returns true if both are numbers that differ by less than `hysteresis`.
bool IsSmallChange(std::string_view before, std::string_view after, std::int64_t hysteresis);

}  // namespace plimsoll::controller
