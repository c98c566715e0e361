#pragma once

#include <compare>
#include <cstdint>
#include <optional>

/// Comparison of numbers of different kinds by value, as upstream does it.
namespace plimsoll::cel {

/// Returns the integer equal to the double, if there is one that fits.
std::optional<std::int64_t> ExactInt(double value);
std::optional<std::uint64_t> ExactUint(double value);

// REQUIRES: not NaN. An integer is rounded to a double for comparison with one: upstream considers
// 9007199254740993 and 9007199254740992.0 equal.
std::strong_ordering Order(std::int64_t a, std::uint64_t b);
std::strong_ordering Order(std::int64_t a, double b);
std::strong_ordering Order(std::uint64_t a, double b);

}  // namespace plimsoll::cel
