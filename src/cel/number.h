#pragma once

#include <compare>
#include <cstdint>
#include <optional>

/// Numbers of different kinds, compared by value as upstream does it.
namespace plimsoll::cel {

/// The whole number that a double is, when it is one and fits.
std::optional<std::int64_t> ExactInt(double value);
std::optional<std::uint64_t> ExactUint(double value);

// Not for NaN. A whole number is rounded to a double to be compared with one: to upstream,
// 9007199254740993 and 9007199254740992.0 are equal.
std::strong_ordering Order(std::int64_t a, std::uint64_t b);
std::strong_ordering Order(std::int64_t a, double b);
std::strong_ordering Order(std::uint64_t a, double b);

}  // namespace plimsoll::cel
