#include "cel/library/number_text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/text/ascii.h"

namespace plimsoll::cel {
namespace {

/// Sufficient for 1.8e308 without an exponent.
constexpr std::size_t kTextBytesMax = 400;

std::string Text(double value, std::chars_format format) {
  std::array<char, kTextBytesMax> buffer;
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format);
  return {buffer.data(), end};
}

std::optional<std::string> SpecialText(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-Inf" : "+Inf";
  return std::nullopt;
}

bool EqualsIgnoringCase(std::string_view text, std::string_view lower) {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char a, char b) { return (IsUpper(a) ? a + 32 : a) == b; });
}

std::optional<double> ParseSpecial(std::string_view text) {
  if (EqualsIgnoringCase(text, "nan")) return std::nan("");
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (!EqualsIgnoringCase(text, "inf") && !EqualsIgnoringCase(text, "infinity")) {
    return std::nullopt;
  }
  return is_negative ? -HUGE_VAL : HUGE_VAL;
}

/// Returns true if each underscore is between digits, or between a base prefix and a digit.
bool UnderscoresFit(std::string_view text) {
  const bool is_hex = text.size() >= 2 && text[0] == '0' && (text[1] | 32) == 'x';
  char before = is_hex ? '0' : '^';
  for (const char c : text.substr(is_hex ? 2 : 0)) {
    const bool is_digit = IsDigit(c) || (is_hex && (c | 32) >= 'a' && (c | 32) <= 'f');
    if (c == '_' && before != '0') return false;
    if (!is_digit && c != '_' && before == '_') return false;
    before = is_digit ? '0' : c == '_' ? '_' : '!';
  }
  return before != '_';
}

/// Parses a text without sign, underscores and base prefix, in the syntax of from_chars.
std::optional<double> ParseDigits(std::string_view digits, bool is_hex) {
  const std::size_t exponent = digits.find_first_of(is_hex ? "pP" : "eE");
  // A hexadecimal number must have an exponent, and an exponent must have digits. from_chars would
  // silently ignore these errors.
  if (is_hex && exponent == std::string_view::npos) return std::nullopt;
  std::string plain(digits);
  if (exponent != std::string_view::npos) {
    std::string_view power = digits.substr(exponent + 1);
    if (power.starts_with('+') || power.starts_with('-')) power.remove_prefix(1);
    if (power.empty() || power.find_first_not_of("0123456789") != std::string_view::npos) {
      return std::nullopt;
    }
  }
  if (plain.find_first_of("+-") == 0 || (!is_hex && (plain[0] | 32) >= 'a')) return std::nullopt;
  double value = 0;
  const char* const end = plain.data() + plain.size();
  const auto [stop, error] = std::from_chars(
      plain.data(), end, value, is_hex ? std::chars_format::hex : std::chars_format::general);
  if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    // Too small is rounded to zero or a denormal; only too large is rejected.
    value = std::strtod((is_hex ? "0x" + plain : plain).c_str(), nullptr);
    if (std::isinf(value)) return std::nullopt;
  }
  return value;
}

}  // namespace

std::string ShortestText(double value) {
  if (std::optional<std::string> special = SpecialText(value)) return *special;
  const double magnitude = std::abs(value);
  const bool is_fixed = magnitude == 0 || (magnitude >= 1e-4 && magnitude < 1e6);
  return Text(value, is_fixed ? std::chars_format::fixed : std::chars_format::scientific);
}

std::string FixedText(double value) {
  if (std::optional<std::string> special = SpecialText(value)) return *special;
  return Text(value, std::chars_format::fixed);
}

std::optional<double> ParseDouble(std::string_view text) {
  if (const std::optional<double> special = ParseSpecial(text)) return special;
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  std::string digits(text);
  if (text.find('_') != std::string_view::npos) {
    if (!UnderscoresFit(text)) return std::nullopt;
    std::erase(digits, '_');
  }
  const bool is_hex = digits.size() >= 2 && digits[0] == '0' && (digits[1] | 32) == 'x';
  if (is_hex) digits.erase(0, 2);
  if (digits.empty()) return std::nullopt;
  const std::optional<double> value = ParseDigits(digits, is_hex);
  if (!value) return std::nullopt;
  return is_negative ? -*value : *value;
}

std::optional<bool> ParseBool(std::string_view text) {
  constexpr auto kTrue = std::to_array<std::string_view>({"1", "t", "T", "true", "TRUE", "True"});
  constexpr auto kFalse =
      std::to_array<std::string_view>({"0", "f", "F", "false", "FALSE", "False"});
  if (std::find(kTrue.begin(), kTrue.end(), text) != kTrue.end()) return true;
  if (std::find(kFalse.begin(), kFalse.end(), text) != kFalse.end()) return false;
  return std::nullopt;
}

}  // namespace plimsoll::cel
