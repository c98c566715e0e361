#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll {

/// An exact decimal number of any size: unscaled * 10^-scale. For quantities that 64 bits cannot
/// hold; it pulls in a large header, so it stays out of other headers.
struct BigDecimal {
  boost::multiprecision::cpp_int unscaled;
  std::int32_t scale = 0;  // digits behind the point; below zero: zeros before it

  /// `digits` holds decimal digits only; none is zero.
  static BigDecimal FromDigits(std::string_view digits, std::int32_t scale);

  int sign() const { return unscaled.sign(); }
  /// The digits of the unscaled magnitude.
  std::string Magnitude() const;

  /// The unscaled number, rounded to the nearest; infinite when no double is as large.
  double UnscaledAsDouble() const;
  /// About how many digits the number takes without an exponent.
  std::size_t DigitsWrittenOut() const;

  /// Has exactly `new_scale` from now on; what does not fit is rounded away from zero. False when
  /// something was lost.
  bool RoundAway(std::int32_t new_scale);

  /// The number at another scale as upstream computes it: rounded up, wrapped to 64 bits, and for
  /// large negative numbers wrapped before the division.
  std::int64_t WrappedAt(std::int32_t new_scale) const;
};

/// Exact; the result has the finer of the two scales.
BigDecimal operator+(const BigDecimal& a, const BigDecimal& b);
BigDecimal operator-(const BigDecimal& a, const BigDecimal& b);
std::strong_ordering operator<=>(const BigDecimal& a, const BigDecimal& b);

}  // namespace plimsoll
