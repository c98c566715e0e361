#include "base/big_decimal.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <vector>

namespace plimsoll {
namespace {

using boost::multiprecision::cpp_int;

cpp_int PowerOfTen(std::int32_t exponent) {
  return boost::multiprecision::pow(cpp_int(10), static_cast<unsigned>(exponent));
}

/// Returns the unscaled number at `scale`, which must not be coarser than its own.
cpp_int UnscaledAt(const BigDecimal& number, std::int32_t scale) {
  if (number.scale == scale) return number.unscaled;
  return number.unscaled * PowerOfTen(scale - number.scale);
}

/// Truncates to 64 bits: keeps the low bits of the magnitude, then applies the sign.
std::int64_t Wrap(const cpp_int& number) {
  const cpp_int low = abs(number) & std::numeric_limits<std::uint64_t>::max();
  const auto bits = static_cast<std::uint64_t>(low);
  return static_cast<std::int64_t>(number.sign() < 0 ? 0 - bits : bits);
}

/// Returns 10^exponent as int64, or the most negative number if it is too large. Upstream gets the
/// same from its conversion of a floating-point number.
std::int64_t WrappedPowerOfTen(std::int32_t exponent) {
  constexpr std::int32_t kDigits = std::numeric_limits<std::int64_t>::digits10;
  if (exponent > kDigits) return std::numeric_limits<std::int64_t>::min();
  std::int64_t power = 1;
  for (; exponent > 0; --exponent) power *= 10;
  return power;
}

/// Same as msb() of the magnitude, without a copy. REQUIRES: the number is not zero.
std::size_t HighestBit(const cpp_int& number) {
  const auto& backend = number.backend();
  const std::size_t below = backend.size() - 1;
  const auto top = backend.limbs()[below];
  return below * sizeof(top) * 8 + static_cast<std::size_t>(std::bit_width(top)) - 1;
}

/// Returns the binary logarithm of the magnitude, at most 1 too low. REQUIRES: it is not zero.
double BinaryDigits(const BigDecimal& number) {
  return static_cast<double>(HighestBit(number.unscaled)) - number.scale * std::log2(10.0);
}

}  // namespace

BigDecimal BigDecimal::FromDigits(std::string_view digits, std::int32_t scale) {
  // Convert as many digits at a time as fit a word, with one pass over the words for each chunk.
  constexpr std::size_t kChunk = std::numeric_limits<std::uint64_t>::digits10;
  __extension__ using Wide = unsigned __int128;
  std::vector<std::uint64_t> words;
  words.reserve(digits.size() / kChunk + 1);
  for (std::size_t first = digits.size() % kChunk; !digits.empty(); first = kChunk) {
    if (first == 0) continue;
    std::uint64_t factor = 1;
    std::uint64_t carry = 0;
    for (const char c : digits.substr(0, first)) {
      carry = carry * 10 + static_cast<std::uint64_t>(c - '0');
      factor *= 10;
    }
    digits.remove_prefix(first);
    for (std::uint64_t& word : words) {
      const Wide product = static_cast<Wide>(word) * factor + carry;
      word = static_cast<std::uint64_t>(product);
      carry = static_cast<std::uint64_t>(product >> 64);
    }
    if (carry != 0) words.push_back(carry);
  }
  BigDecimal number{.scale = scale};
  if (!words.empty()) import_bits(number.unscaled, words.begin(), words.end(), 64, false);
  return number;
}

double BigDecimal::UnscaledAsDouble() const {
  if (unscaled.is_zero()) return 0;
  const auto bits = static_cast<int>(HighestBit(unscaled)) + 1;
  if (bits > std::numeric_limits<double>::max_exponent) {
    return unscaled.sign() * std::numeric_limits<double>::infinity();
  }
  const cpp_int magnitude = abs(unscaled);
  const int dropped = std::max(bits - 64, 0);
  auto top = static_cast<std::uint64_t>(magnitude >> static_cast<unsigned>(dropped));
  // A double has fewer digits than the word, so the last bit can stand for all dropped bits.
  if (dropped > static_cast<int>(lsb(magnitude))) top |= 1;
  return unscaled.sign() * std::ldexp(static_cast<double>(top), dropped);
}

std::size_t BigDecimal::DigitsWrittenOut() const {
  const std::size_t bits = unscaled.is_zero() ? 0 : HighestBit(unscaled);
  return bits * 3 / 10 + static_cast<std::size_t>(std::abs(scale));
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
  // Upstream's fast path is meant for numbers below 2^63, but also takes large negative ones. It
  // also adds one to a negative quotient that is already truncated towards zero.
  if (unscaled < std::numeric_limits<std::int64_t>::max() &&
      dropped <= std::numeric_limits<std::int64_t>::digits10) {
    const std::int64_t low = Wrap(unscaled);
    const std::int64_t divisor = WrappedPowerOfTen(dropped);
    return low / divisor + (low % divisor != 0 ? 1 : 0);
  }
  cpp_int quotient;
  cpp_int remainder;
  divide_qr(unscaled, PowerOfTen(dropped), quotient, remainder);
  // A negative quotient is truncated towards zero, so it is rounded up already.
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
  if (a.scale == b.scale || a.sign() == 0) return a.unscaled.compare(b.unscaled) <=> 0;
  // Most numbers differ in magnitude, so that they need not be brought to the same scale.
  const double size_a = BinaryDigits(a);
  const double size_b = BinaryDigits(b);
  if (std::abs(size_a - size_b) > 2) return a.sign() * (size_a < size_b ? -1 : 1) <=> 0;
  const std::int32_t scale = std::max(a.scale, b.scale);
  return UnscaledAt(a, scale).compare(UnscaledAt(b, scale)) <=> 0;
}

}  // namespace plimsoll
