#pragma once

#include <boost/multiprecision/cpp_int.hpp>
#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

namespace plimsoll {

/// An exact decimal number of any size: unscaled * 10^-scale. For quantities that 64 bits cannot
/// hold. Includes a large header, so do not include this file from other headers.
struct BigDecimal {
  boost::multiprecision::cpp_int unscaled;
  std::int32_t scale = 0;  // digits after the decimal point; negative: trailing zeros before it

  /// Parses `digits`, which holds decimal digits only. An empty text is zero.
  static BigDecimal FromDigits(std::string_view digits, std::int32_t scale);

  int sign() const { return unscaled.sign(); }
  /// Returns the decimal digits of the absolute value of `unscaled`.
  std::string Magnitude() const;

  /// Returns `unscaled` rounded to the nearest double, or infinity if it is out of range.
  double UnscaledAsDouble() const;
  /// Returns approximately how many digits the number has when written without an exponent.
  std::size_t DigitsWrittenOut() const;

  /// Changes the scale to `new_scale`; digits that do not fit are rounded away from zero. Returns
  /// false if a nonzero digit was lost.
  bool RoundAway(std::int32_t new_scale);

  /// Returns the number at another scale as upstream computes it: rounded up and wrapped to 64
  /// bits. Large negative numbers are wrapped before the division.
  std::int64_t WrappedAt(std::int32_t new_scale) const;
};

/// Exact; the result has the finer of the two scales.
BigDecimal operator+(const BigDecimal& a, const BigDecimal& b);
BigDecimal operator-(const BigDecimal& a, const BigDecimal& b);
std::strong_ordering operator<=>(const BigDecimal& a, const BigDecimal& b);

}  // namespace plimsoll
