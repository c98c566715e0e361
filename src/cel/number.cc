#include "cel/number.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

namespace plimsoll::cel {
namespace {

constexpr double kTwo63 = 9223372036854775808.0;
constexpr double kTwo64 = 18446744073709551616.0;
constexpr int kExponentMin = -4;
constexpr int kExponentEnd = 6;

std::strong_ordering OrderDoubles(double a, double b) {
  if (a == b) return std::strong_ordering::equal;
  return a < b ? std::strong_ordering::less : std::strong_ordering::greater;
}

}  // namespace

std::optional<std::int64_t> ExactInt(double value) {
  // Negated, so that NaN is refused as well.
  if (!(value >= -kTwo63 && value < kTwo63)) return std::nullopt;
  const auto whole = static_cast<std::int64_t>(value);
  if (static_cast<double>(whole) != value) return std::nullopt;
  return whole;
}

std::optional<std::uint64_t> ExactUint(double value) {
  if (!(value >= 0 && value < kTwo64)) return std::nullopt;
  const auto whole = static_cast<std::uint64_t>(value);
  if (static_cast<double>(whole) != value) return std::nullopt;
  return whole;
}

std::strong_ordering Order(std::int64_t a, std::uint64_t b) {
  if (a < 0) return std::strong_ordering::less;
  return static_cast<std::uint64_t>(a) <=> b;
}

std::strong_ordering Order(std::int64_t a, double b) {
  if (b < -kTwo63) return std::strong_ordering::greater;
  if (b > kTwo63) return std::strong_ordering::less;
  return OrderDoubles(static_cast<double>(a), b);
}

std::strong_ordering Order(std::uint64_t a, double b) {
  if (b < 0) return std::strong_ordering::greater;
  if (b > kTwo64) return std::strong_ordering::less;
  return OrderDoubles(static_cast<double>(a), b);
}

std::string GoDoubleText(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::scientific);
  std::string_view text(buffer.data(), static_cast<std::size_t>(end.ptr - buffer.data()));
  const std::size_t mark = text.rfind('e');
  int exponent = 0;
  const std::size_t digits_at = text[mark + 1] == '+' ? mark + 2 : mark + 1;
  std::from_chars(text.data() + digits_at, text.data() + text.size(), exponent);
  // Both languages write an exponent with at least two digits.
  if (exponent < kExponentMin || exponent >= kExponentEnd) return std::string(text);
  const auto fixed =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
  return std::string(buffer.data(), fixed.ptr);
}

}  // namespace plimsoll::cel
