#include "base/big_decimal.h"

#include <algorithm>
#include <limits>

namespace plimsoll {
namespace {

using boost::multiprecision::cpp_int;

cpp_int PowerOfTen(std::int32_t exponent) {
  return boost::multiprecision::pow(cpp_int(10), static_cast<unsigned>(exponent));
}

/// The unscaled number at a scale that is not coarser than its own.
cpp_int UnscaledAt(const BigDecimal& number, std::int32_t scale) {
  if (number.scale == scale) return number.unscaled;
  return number.unscaled * PowerOfTen(scale - number.scale);
}

/// What is left when only 64 bits are kept: the low bits of the magnitude, then the sign.
std::int64_t Wrap(const cpp_int& number) {
  const cpp_int low = abs(number) & std::numeric_limits<std::uint64_t>::max();
  const auto bits = static_cast<std::uint64_t>(low);
  return static_cast<std::int64_t>(number.sign() < 0 ? 0 - bits : bits);
}

/// 10^exponent as int64, with the most negative number for all that are too large: what the
/// conversion from floating point gives upstream.
std::int64_t WrappedPowerOfTen(std::int32_t exponent) {
  constexpr std::int32_t kDigits = std::numeric_limits<std::int64_t>::digits10;
  if (exponent > kDigits) return std::numeric_limits<std::int64_t>::min();
  std::int64_t power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

}  // namespace

BigDecimal BigDecimal::FromDigits(std::string_view digits, std::int32_t scale) {
  // A leading zero would make the number octal.
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  BigDecimal number{.scale = scale};
  if (!digits.empty()) number.unscaled.assign(std::string(digits));
  return number;
}

std::string BigDecimal::Magnitude() const { return cpp_int(abs(unscaled)).str(); }

bool BigDecimal::RoundAway(std::int32_t new_scale) {
  if (new_scale >= scale) {
    unscaled = UnscaledAt(*this, new_scale);
    scale = new_scale;
    return true;
  }
  cpp_int quotient;
  cpp_int remainder;
  divide_qr(unscaled, PowerOfTen(scale - new_scale), quotient, remainder);
  quotient += remainder.sign();
  unscaled = std::move(quotient);
  scale = new_scale;
  return remainder.is_zero();
}

std::int64_t BigDecimal::WrappedAt(std::int32_t new_scale) const {
  const std::int32_t dropped = scale - new_scale;
  if (dropped <= 0) {
    const auto low = static_cast<std::uint64_t>(Wrap(unscaled));
    return static_cast<std::int64_t>(low * static_cast<std::uint64_t>(WrappedPowerOfTen(-dropped)));
  }
  // Upstream's short way asks for numbers below 2^63 and forgets that negative ones may be large,
  // too. It also adds one where a negative number was cut towards zero already.
  if (unscaled < std::numeric_limits<std::int64_t>::max() &&
      dropped <= std::numeric_limits<std::int64_t>::digits10) {
    const std::int64_t low = Wrap(unscaled);
    const std::int64_t divisor = WrappedPowerOfTen(dropped);
    return low / divisor + (low % divisor != 0 ? 1 : 0);
  }
  cpp_int quotient;
  cpp_int remainder;
  divide_qr(unscaled, PowerOfTen(dropped), quotient, remainder);
  // Cut towards zero, the quotient of a negative number is rounded up already.
  if (remainder.sign() > 0) ++quotient;
  return Wrap(quotient);
}

BigDecimal operator+(const BigDecimal& a, const BigDecimal& b) {
  const std::int32_t scale = std::max(a.scale, b.scale);
  return {UnscaledAt(a, scale) + UnscaledAt(b, scale), scale};
}

BigDecimal operator-(const BigDecimal& a, const BigDecimal& b) {
  const std::int32_t scale = std::max(a.scale, b.scale);
  return {UnscaledAt(a, scale) - UnscaledAt(b, scale), scale};
}

std::strong_ordering operator<=>(const BigDecimal& a, const BigDecimal& b) {
  if (a.sign() != b.sign()) return a.sign() <=> b.sign();
  const std::int32_t scale = std::max(a.scale, b.scale);
  return UnscaledAt(a, scale).compare(UnscaledAt(b, scale)) <=> 0;
}

}  // namespace plimsoll
