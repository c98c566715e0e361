#include "codec/yaml_scalar.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>

#include "base/assert.h"
#include "base/text/ascii.h"
#include "codec/yaml_timestamp.h"

namespace plimsoll::codec {
namespace {

using Type = YamlScalar::Type;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Word {
  std::string_view text;
  YamlScalar meaning;
};

constexpr YamlScalar kNull{.type = Type::Null};
constexpr YamlScalar kTrue{.type = Type::Bool, .boolean = true};
constexpr YamlScalar kFalse{.type = Type::Bool, .boolean = false};
constexpr YamlScalar kPlusInfinity{.type = Type::Float, .real = kInfinity};
constexpr YamlScalar kMinusInfinity{.type = Type::Float, .real = -kInfinity};
constexpr YamlScalar kNotANumber{.type = Type::Float, .real = kNan};

constexpr auto kWords = std::to_array<Word>({
    {"", kNull},
    {"~", kNull},
    {"null", kNull},
    {"Null", kNull},
    {"NULL", kNull},
    {"y", kTrue},
    {"Y", kTrue},
    {"yes", kTrue},
    {"Yes", kTrue},
    {"YES", kTrue},
    {"true", kTrue},
    {"True", kTrue},
    {"TRUE", kTrue},
    {"on", kTrue},
    {"On", kTrue},
    {"ON", kTrue},
    {"n", kFalse},
    {"N", kFalse},
    {"no", kFalse},
    {"No", kFalse},
    {"NO", kFalse},
    {"false", kFalse},
    {"False", kFalse},
    {"FALSE", kFalse},
    {"off", kFalse},
    {"Off", kFalse},
    {"OFF", kFalse},
    {".nan", kNotANumber},
    {".NaN", kNotANumber},
    {".NAN", kNotANumber},
    {".inf", kPlusInfinity},
    {".Inf", kPlusInfinity},
    {".INF", kPlusInfinity},
    {"+.inf", kPlusInfinity},
    {"+.Inf", kPlusInfinity},
    {"+.INF", kPlusInfinity},
    {"-.inf", kMinusInfinity},
    {"-.Inf", kMinusInfinity},
    {"-.INF", kMinusInfinity},
});
constexpr std::size_t kWordBytesMax = 5;

std::size_t CountDigits(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::find_if_not(text, IsDigit) - text.begin());
}

/// Matches `[sign](.digits | digits[.[digits]])[e[sign]digits]`.
bool HasFormOfFloat(std::string_view text) {
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  const std::size_t whole = CountDigits(text);
  text.remove_prefix(whole);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const std::size_t fraction = CountDigits(text);
    if (whole + fraction == 0) return false;
    text.remove_prefix(fraction);
  } else if (whole == 0) {
    return false;
  }
  if (text.empty()) return true;
  if (text.front() != 'e' && text.front() != 'E') return false;
  text.remove_prefix(1);
  if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
  return !text.empty() && CountDigits(text) == text.size();
}

/// Returns nullopt if the number is too large for a double; too small a number becomes zero.
std::optional<double> ParseFloat(const std::string& text) {
  if (!HasFormOfFloat(text)) return std::nullopt;
  const double value = std::strtod(text.c_str(), nullptr);
  if (std::isinf(value)) return std::nullopt;
  return value;
}

/// Same as strconv.ParseUint with base 0: the prefix gives the base, and a plain 0 means octal.
std::optional<std::uint64_t> ParseMagnitude(std::string_view digits) {
  int base = 10;
  if (digits.size() > 1 && digits.front() == '0') {
    const char mark = static_cast<char>(digits[1] | 0x20);
    base = mark == 'x' ? 16 : mark == 'b' ? 2 : 8;
    digits.remove_prefix(base != 8 || mark == 'o' ? 2 : 1);
  }
  std::uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value, base);
  if (error != std::errc{} || stop != end) return std::nullopt;
  return value;
}

std::optional<YamlScalar> ParseInteger(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  const bool is_signed = is_negative || text.starts_with('+');
  const auto magnitude = ParseMagnitude(text.substr(is_signed ? 1 : 0));
  if (!magnitude) return std::nullopt;
  constexpr auto kIntMax = static_cast<std::uint64_t>(INT64_MAX);
  if (*magnitude <= kIntMax + (is_negative ? 1 : 0)) {
    // Negate as unsigned, because the most negative number has no positive counterpart.
    const std::uint64_t bits = is_negative ? 0 - *magnitude : *magnitude;
    return YamlScalar{.type = Type::Int, .integer = static_cast<std::int64_t>(bits)};
  }
  if (is_signed) return std::nullopt;
  return YamlScalar{.type = Type::Uint, .natural = *magnitude};
}

YamlScalar ResolveNumber(std::string_view text) {
  std::string plain(text);
  std::erase(plain, '_');
  if (const auto integer = ParseInteger(plain)) return *integer;
  if (const auto real = ParseFloat(plain)) return {.type = Type::Float, .real = *real};
  return {};
}

/// Shortest digits that parse to the same number; the decimal point is after the first.
struct Digits {
  bool is_negative = false;
  std::string digits;
  int exponent = 0;
};

template <class Float>
Digits ShortestDigits(Float value) {
  PL_ASSERT(std::isfinite(value));
  std::array<char, 64> buffer;
  const auto [end, error] = std::to_chars(buffer.data(), buffer.data() + buffer.size(),
                                          std::abs(value), std::chars_format::scientific);
  PL_ASSERT(error == std::errc{});
  const std::string_view text(buffer.data(), static_cast<std::size_t>(end - buffer.data()));
  const std::size_t mark = text.find('e');
  Digits result{.is_negative = std::signbit(value), .digits = std::string(text.substr(0, mark))};
  std::erase(result.digits, '.');
  const char* const exponent = text.data() + mark + (text[mark + 1] == '+' ? 2 : 1);
  std::from_chars(exponent, end, result.exponent);
  return result;
}

std::string Scientific(const Digits& number, int exponent_digits_min) {
  std::string out = number.is_negative ? "-" : "";
  out += number.digits.front();
  if (number.digits.size() > 1) out += '.' + number.digits.substr(1);
  const std::string exponent = std::to_string(std::abs(number.exponent));
  out += number.exponent < 0 ? "e-" : "e+";
  if (static_cast<int>(exponent.size()) < exponent_digits_min) out += '0';
  return out + exponent;
}

std::string Positional(const Digits& number) {
  std::string out = number.is_negative ? "-" : "";
  if (number.exponent < 0) {
    const auto zeros = static_cast<std::size_t>(-number.exponent - 1);
    return out + "0." + std::string(zeros, '0') + number.digits;
  }
  const auto whole = static_cast<std::size_t>(number.exponent) + 1;
  if (number.digits.size() <= whole) {
    return out + number.digits + std::string(whole - number.digits.size(), '0');
  }
  return out + number.digits.substr(0, whole) + '.' + number.digits.substr(whole);
}

}  // namespace

YamlScalar ResolveYamlScalar(std::string_view text) {
  if (text.size() <= kWordBytesMax) {
    const auto word = std::ranges::find(kWords, text, &Word::text);
    if (word != kWords.end()) return word->meaning;
  }
  const char first = text.empty() ? '\0' : text.front();
  if (first == '.') {
    // Here, unlike after a digit, a `_` makes it a String.
    const auto real = ParseFloat(std::string(text));
    return real ? YamlScalar{.type = Type::Float, .real = *real} : YamlScalar{};
  }
  if (!IsDigit(first) && first != '+' && first != '-') return {};
  if (IsYamlTimestamp(text)) return {.type = Type::Timestamp};
  return ResolveNumber(text);
}

std::string GoJsonFloat(double value) {
  const Digits number = ShortestDigits(value);
  if (value != 0 && (std::abs(value) < 1e-6 || std::abs(value) >= 1e21)) {
    return Scientific(number, 1);
  }
  return Positional(number);
}

std::string GoKeyFloat(double value) {
  if (std::isnan(value)) return ".nan";
  const auto narrow = static_cast<float>(value);
  if (std::isinf(narrow)) return narrow > 0 ? ".inf" : "-.inf";
  const Digits number = ShortestDigits(narrow);
  constexpr int kExponentMin = -4;
  constexpr int kExponentMax = 5;
  if (number.exponent < kExponentMin || number.exponent > kExponentMax) {
    return Scientific(number, 2);
  }
  return Positional(number);
}

}  // namespace plimsoll::codec
