#include <algorithm>
#include <cstdlib>
#include <limits>

#include "base/big_decimal.h"
#include "base/go_text.h"
#include "base/limits.h"
#include "base/quantity.h"
#include "base/text/ascii.h"

namespace plimsoll {

/// The parts of a quantity's text.
struct Quantity::Scan {
  bool is_negative = false;
  std::string_view whole;     // the digits before the point, without leading zeros
  std::string_view fraction;  // the digits after it
  std::string_view suffix;
  bool has_digit = false;
  /// True if the text has no plus, leading zero or point: canonical, except for the suffix.
  bool is_plain = true;

  // The suffix's meaning: base^exponent.
  Format format = Format::DecimalSI;
  std::int32_t base = 10;
  std::int32_t exponent = 0;

  bool IsWithinDigits() const {
    return exponent >= -kQuantityDigitsMax && exponent <= kQuantityDigitsMax;
  }

  bool Read(std::string_view text);
  bool ReadSuffix();
  /// Power of ten of the last digit. REQUIRES: no binary suffix, and few digits.
  std::int32_t DecimalScale() const {
    return exponent - static_cast<std::int32_t>(fraction.size());
  }
  bool IsWide() const;
  /// Number of digits when the number is written without an exponent.
  std::size_t DigitsWanted() const {
    return whole.size() + std::max(fraction.size(), static_cast<std::size_t>(std::abs(exponent)));
  }
};

namespace {

constexpr std::int32_t kNano = -9;
constexpr std::size_t kDigitsSmallMax = 18;

/// Removes the longest prefix whose characters satisfy the predicate, and returns it.
template <class Predicate>
std::string_view TakeWhile(std::string_view& text, Predicate is_taken) {
  const auto end = std::ranges::find_if_not(text, is_taken);
  const auto size = static_cast<std::size_t>(end - text.begin());
  const std::string_view taken = text.substr(0, size);
  text.remove_prefix(size);
  return taken;
}

std::unexpected<Error> FormatWrong() {
  return Fail(Reason::Invalid,
              "quantities must match the regular expression "
              "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
}

std::unexpected<Error> NumberWrong() {
  return Fail(Reason::Invalid, "unable to parse numeric part of quantity");
}

std::unexpected<Error> SuffixWrong() {
  return Fail(Reason::Invalid, "unable to parse quantity's suffix");
}

}  // namespace

/// True for a number of few digits with an exponent beyond kQuantityDigitsMax.
bool Quantity::Scan::IsWide() const {
  return exponent > kQuantityDigitsMax && fraction.size() <= kDigitsSmallMax;
}

/// Accepts more than the expression in the message: upstream also accepts a text without a digit.
bool Quantity::Scan::Read(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) {
    is_negative = text.front() == '-';
    is_plain = is_negative;
    text.remove_prefix(1);
  }
  const std::string_view zeros = TakeWhile(text, [](char c) { return c == '0'; });
  whole = TakeWhile(text, IsDigit);
  has_digit = !zeros.empty() || !whole.empty();
  is_plain = is_plain && zeros.empty();
  if (text.starts_with('.')) {
    is_plain = false;
    text.remove_prefix(1);
    fraction = TakeWhile(text, IsDigit);
    has_digit = has_digit || !fraction.empty();
  }
  suffix = text;
  TakeWhile(text, [](char c) {
    return std::string_view("eEinumkKMGTP").find(c) != std::string_view::npos;
  });
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  TakeWhile(text, IsDigit);
  return text.empty();
}

bool Quantity::Scan::ReadSuffix() {
  struct Row {
    std::string_view suffix;
    Format format;
    std::int32_t base;
    std::int32_t exponent;
  };
  using enum Format;
  static constexpr Row kRows[] = {
      {"", DecimalSI, 10, 0},   {"m", DecimalSI, 10, -3}, {"Mi", BinarySI, 2, 20},
      {"Gi", BinarySI, 2, 30},  {"Ki", BinarySI, 2, 10},  {"k", DecimalSI, 10, 3},
      {"M", DecimalSI, 10, 6},  {"G", DecimalSI, 10, 9},  {"Ti", BinarySI, 2, 40},
      {"Pi", BinarySI, 2, 50},  {"Ei", BinarySI, 2, 60},  {"n", DecimalSI, 10, -9},
      {"u", DecimalSI, 10, -6}, {"T", DecimalSI, 10, 12}, {"P", DecimalSI, 10, 15},
      {"E", DecimalSI, 10, 18},
  };
  const auto* const row = std::ranges::find(kRows, suffix, &Row::suffix);
  if (row != std::end(kRows)) {
    format = row->format;
    base = row->base;
    exponent = row->exponent;
    return true;
  }
  if (!suffix.starts_with('e') && !suffix.starts_with('E')) return false;
  const Result<std::int64_t> power = GoParseInt(suffix.substr(1));
  if (!power) return false;
  format = DecimalExponent;
  // Upstream truncates the exponent to 32 bits: 1e9223372036854775807 is 1e-1.
  exponent = static_cast<std::int32_t>(*power);
  return true;
}

/// The limits on the digits are upstream's: they decide which numbers fit 64 bits, and thus whether
/// the original text is kept.
bool Quantity::IsSmall(const Scan& scan) {
  const std::size_t digits = std::max<std::size_t>(scan.whole.size(), 1) + scan.fraction.size();
  if (scan.format == Format::BinarySI) {
    const auto digits_of_suffix = static_cast<std::size_t>(scan.exponent * 3 / 10);
    return scan.fraction.empty() && digits + digits_of_suffix <= 14;
  }
  return digits <= kDigitsSmallMax && scan.DecimalScale() >= kNano;
}

/// REQUIRES: IsSmall(scan).
Quantity Quantity::ParseSmall(const Scan& scan, std::string_view text) {
  const std::int32_t scale = scan.format == Format::BinarySI ? 0 : scan.DecimalScale();
  std::int64_t number = 0;
  for (const std::string_view part : {scan.whole, scan.fraction}) {
    for (const char c : part) number = number * 10 + (c - '0');
  }

  const bool is_binary = scan.format == Format::BinarySI;
  Quantity quantity = FromInt(is_binary ? number << scan.exponent : number, scan.format);
  if (scan.is_negative) quantity.value_ = -quantity.value_;
  quantity.scale_ = scale;
  const bool is_text_kept =
      is_binary ? (number & 7) != 0 : !scan.whole.empty() && scale % 3 == 0 && number % 1000 != 0;
  // A plain text that is kept is canonical, unless its exponent can be written in several
  // ways.
  const bool is_canonical = scan.is_plain && scan.format != Format::DecimalExponent;
  if (is_text_kept && !is_canonical && text != quantity.Canonical()) quantity.SetText(text);
  return quantity;
}

Result<Quantity> Quantity::ParseBig(const Scan& scan) {
  if (!scan.has_digit) return NumberWrong();
  std::string digits(scan.whole);
  digits += scan.fraction;
  BigDecimal number =
      BigDecimal::FromDigits(digits, static_cast<std::int32_t>(scan.fraction.size()));
  if (scan.base == 10) {
    number.scale -= scan.exponent;
  } else {
    number.unscaled <<= static_cast<unsigned>(scan.exponent);
  }
  // A request for a little of a resource must not become zero, so round away from zero.
  if (number.sign() != 0) number.RoundAway(-kNano);

  Quantity quantity;
  quantity.format_ = scan.format;
  if (scan.format == Format::BinarySI) {
    const BigDecimal kMax{std::numeric_limits<std::int64_t>::max(), 0};
    const BigDecimal kOne{1, 0};
    if (number > kMax) number = kMax;
    if (number.sign() > 0 && number < kOne) quantity.format_ = Format::DecimalSI;
  }
  if (scan.is_negative) number.unscaled = -number.unscaled;
  quantity.SetBig(std::move(number));
  return quantity;
}

Result<Quantity> Quantity::Parse(std::string_view text) {
  Scan scan;
  if (text.empty() || !scan.Read(text)) return FormatWrong();
  if (!scan.ReadSuffix() || !scan.IsWithinDigits()) return SuffixWrong();
  if (scan.DigitsWanted() > static_cast<std::size_t>(kQuantityDigitsMax)) return NumberWrong();
  if (IsSmall(scan)) return ParseSmall(scan, text);
  return ParseBig(scan);
}

Result<Quantity> Quantity::ParseWide(std::string_view text) {
  Scan scan;
  const bool is_wide = !text.empty() && scan.Read(text) && scan.ReadSuffix() && scan.IsWide();
  if (!is_wide) return Parse(text);
  if (!IsSmall(scan)) return SuffixWrong();
  return ParseSmall(scan, text);
}

bool Quantity::IsWideQuantity(std::string_view text) {
  Scan scan;
  if (text.empty() || !scan.Read(text) || !scan.ReadSuffix()) return false;
  if (scan.IsWide()) return IsSmall(scan);
  if (!scan.IsWithinDigits()) return false;
  if (scan.DigitsWanted() > static_cast<std::size_t>(kQuantityDigitsMax)) return false;
  return IsSmall(scan) || scan.has_digit;
}

Result<Quantity> Quantity::FromScalar(std::string_view text) { return Parse(GoTrimSpace(text)); }

}  // namespace plimsoll
