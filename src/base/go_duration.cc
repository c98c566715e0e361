#include "base/go_duration.h"

#include "base/text/ascii.h"

namespace plimsoll {
namespace {

constexpr std::uint64_t kSecond = 1'000'000'000;
constexpr std::uint64_t kDurationMax = std::uint64_t{1} << 63;

std::optional<std::uint64_t> Unit(std::string_view name) {
  constexpr std::uint64_t kMicrosecond = 1'000;
  if (name == "ns") return 1;
  if (name == "us" || name == "\u00b5s" || name == "\u03bcs") return kMicrosecond;
  if (name == "ms") return 1'000 * kMicrosecond;
  if (name == "s") return kSecond;
  if (name == "m") return 60 * kSecond;
  if (name == "h") return 3600 * kSecond;
  return std::nullopt;
}

/// One number of a duration: the digits before the point, and those after it over a power of ten.
struct Amount {
  std::uint64_t whole = 0;
  std::uint64_t fraction = 0;
  double scale = 1;
};

/// Removes a number from the front of the text. Returns nullopt if absent or too large.
std::optional<Amount> TakeAmount(std::string_view& text) {
  Amount amount;
  std::size_t at = 0;
  for (; IsDigitAt(text, at); ++at) {
    if (amount.whole > kDurationMax / 10) return std::nullopt;
    amount.whole = amount.whole * 10 + static_cast<std::uint64_t>(text[at] - '0');
    if (amount.whole > kDurationMax) return std::nullopt;
  }
  bool has_digits = at > 0;
  if (at < text.size() && text[at] == '.') {
    ++at;
    bool is_full = false;  // further digits do not fit and are dropped
    for (; IsDigitAt(text, at); ++at) {
      has_digits = true;
      if (is_full) continue;
      const std::uint64_t next = amount.fraction * 10 + static_cast<std::uint64_t>(text[at] - '0');
      is_full = amount.fraction > (kDurationMax - 1) / 10 || next > kDurationMax;
      if (is_full) continue;
      amount.fraction = next;
      amount.scale *= 10;
    }
  }
  text.remove_prefix(at);
  if (!has_digits) return std::nullopt;
  return amount;
}

std::optional<std::uint64_t> InNanoseconds(const Amount& amount, std::uint64_t unit) {
  if (amount.whole > kDurationMax / unit) return std::nullopt;
  std::uint64_t nanoseconds = amount.whole * unit;
  if (amount.fraction > 0) {
    // Go uses doubles here, and the result depends on their rounding.
    nanoseconds += static_cast<std::uint64_t>(static_cast<double>(amount.fraction) *
                                              (static_cast<double>(unit) / amount.scale));
    if (nanoseconds > kDurationMax) return std::nullopt;
  }
  return nanoseconds;
}

}  // namespace

std::optional<Duration> ParseGoDuration(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (text == "0") return Duration::zero();
  if (text.empty()) return std::nullopt;
  std::uint64_t sum = 0;
  while (!text.empty()) {
    const std::optional<Amount> amount = TakeAmount(text);
    if (!amount) return std::nullopt;
    std::size_t name_bytes = 0;
    while (name_bytes < text.size() && text[name_bytes] != '.' && !IsDigitAt(text, name_bytes)) {
      ++name_bytes;
    }
    const std::optional<std::uint64_t> unit = Unit(text.substr(0, name_bytes));
    if (!unit) return std::nullopt;
    text.remove_prefix(name_bytes);
    const std::optional<std::uint64_t> nanoseconds = InNanoseconds(*amount, *unit);
    if (!nanoseconds || *nanoseconds > kDurationMax - sum) return std::nullopt;
    sum += *nanoseconds;
  }
  if (is_negative) return Duration(static_cast<std::int64_t>(~sum + 1));
  if (sum == kDurationMax) return std::nullopt;
  return Duration(static_cast<std::int64_t>(sum));
}

}  // namespace plimsoll
