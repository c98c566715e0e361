#include "cel/number.h"

namespace plimsoll::cel {
namespace {

constexpr double kTwo63 = 9223372036854775808.0;
constexpr double kTwo64 = 18446744073709551616.0;

std::strong_ordering OrderDoubles(double a, double b) {
  if (a == b) return std::strong_ordering::equal;
  return a < b ? std::strong_ordering::less : std::strong_ordering::greater;
}

}  // namespace

std::optional<std::int64_t> ExactInt(double value) {
  // Negated, so that NaN is rejected as well.
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

}  // namespace plimsoll::cel
