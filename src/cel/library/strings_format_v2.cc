// Version 2 of `format`, which Kubernetes uses. Numbers are formatted for English readers; values
// inside lists and maps are formatted as literals.

#include <algorithm>
#include <cmath>
#include <map>

#include "base/go_text.h"
#include "base/text/utf8.h"
#include "cel/environment.h"
#include "cel/library/make_value.h"
#include "cel/library/number_text.h"
#include "cel/library/strings_format.h"
#include "cel/library/time_text.h"

namespace plimsoll::cel {
namespace {

constexpr int kPrecision = 6;
constexpr const char* kTooLarge = "the resulting string is too large";

/// Inserts a comma every three digits, from the decimal point to the left.
std::string Grouped(std::string digits) {
  const std::size_t whole = std::min(digits.find('.'), digits.size());
  for (std::size_t at = whole; at > 3; at -= 3) digits.insert(at - 3, 1, ',');
  return digits;
}

/// Upstream stores the maximum number of digits in 16 bits and the minimum in 8, without a range
/// check. Trailing zeros are written only up to the minimum.
std::string FixedDigits(double value, int precision) {
  const auto most = static_cast<std::int16_t>(precision);
  const auto fewest = static_cast<std::uint8_t>(precision);
  std::string digits =
      most < 0 ? FixedText(std::abs(value)) : PlainText(std::abs(value), 'f', most);
  std::size_t point = digits.find('.');
  if (point == std::string::npos) {
    point = digits.size();
    digits += '.';
  }
  const std::size_t needed = std::max(point + 1 + fewest, digits.find_last_not_of('0') + 1);
  digits.resize(needed, '0');
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

std::string InfinityText(double value) { return value < 0 ? "-∞" : "∞"; }

/// Converts `1.234568e+03` to `1.234568×10⁰³`.
std::string WithSuperscripts(std::string_view plain) {
  static constexpr std::string_view kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const std::size_t exponent = plain.find('e');
  std::string out;
  out.reserve(plain.size() + 16);
  out.append(plain.substr(0, exponent)).append("×10");
  for (const char c : plain.substr(exponent + 1)) {
    if (c == '-') {
      out += "⁻";
    } else if (c != '+') {
      out += kDigits[c - '0'];
    }
  }
  return out;
}

class ClausesV2 final : public FormatClauses {
 public:
  explicit ClausesV2(Evaluation& evaluation) : evaluation_(evaluation) {}

  Written String(const Value& value) const override {
    switch (value.kind()) {
      case ValueKind::List:
        return ListText(value);
      case ValueKind::Map:
      case ValueKind::Object:
        return MapText(value);
      case ValueKind::Null:
        return "null";
      case ValueKind::Opaque:
      case ValueKind::Optional:
      case ValueKind::Error:
        return NotFor(
            "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, "
            "types, durations, and timestamps",
            value);
      default:
        return ScalarText(value);
    }
  }

  Written Decimal(const Value& value) const override {
    return NotFor("decimal clause can only be used on integers", value);
  }

  Written Fixed(const Value& value, std::optional<int> precision) const override {
    const std::optional<double> number = Number(value);
    if (!number) return NotFor("fixed-point clause can only be used on doubles", value);
    if (std::isnan(*number)) return "NaN";
    if (std::isinf(*number)) return InfinityText(*number);
    const std::string digits = Grouped(FixedDigits(*number, precision.value_or(kPrecision)));
    return *number < 0 ? '-' + digits : digits;
  }

  /// The precision is used as the minimum width.
  Written Scientific(const Value& value, std::optional<int> precision) const override {
    const std::optional<double> number = Number(value);
    if (!number) return NotFor("scientific clause can only be used on doubles", value);
    std::string text = "NaN";
    if (std::isinf(*number)) {
      text = InfinityText(*number);
    } else if (!std::isnan(*number)) {
      text = WithSuperscripts(PlainText(std::abs(*number), 'e', kPrecision));
      if (*number < 0) text.insert(0, 1, '-');
    }
    const auto width = static_cast<std::size_t>(precision.value_or(kPrecision));
    const std::size_t runes = CountRunes(text);
    if (runes < width) text.insert(0, width - runes, ' ');
    return text;
  }

  std::string_view Refusal(char letter) const override {
    switch (letter) {
      case 'b':
        return "only integers and bools can be formatted as binary";
      case 'o':
        return "octal clause can only be used on integers";
      default:
        return "only integers, byte buffers, and strings can be formatted as hex";
    }
  }

 private:
  /// Returns a double, or the double that a text such as `NaN` denotes.
  static std::optional<double> Number(const Value& value) {
    if (value.is(ValueKind::Double)) return value.as_double();
    if (!value.is(ValueKind::String)) return std::nullopt;
    const std::string_view text = value.text();
    if (text != "NaN" && text != "Infinity" && text != "-Infinity") return std::nullopt;
    return ParseDouble(text);
  }

  static Written ScalarText(const Value& value) {
    switch (value.kind()) {
      case ValueKind::Bool:
        return value.as_bool() ? "true" : "false";
      case ValueKind::Double:
        return ShortestText(value.as_double());
      case ValueKind::Duration:
        return DurationText(value.duration_ns());
      case ValueKind::Timestamp:
        return TimestampText(value);
      case ValueKind::Type:
        return std::string(value.type()->name());
      case ValueKind::Bytes:
        if (IsUtf8(value.text())) return std::string(value.text());
        return std::unexpected(
            "could not convert argument \"invalid UTF-8 in bytes, cannot convert to string\" to "
            "string");
      case ValueKind::String:
        return std::string(value.text());
      default:
        return IntegerText(value);
    }
  }

  /// Formats the value as a literal.
  Written LiteralText(const Value& value) const {
    switch (value.kind()) {
      case ValueKind::String:
        return GoQuote(value.text());
      case ValueKind::Bytes: {
        Written text = ScalarText(value);
        if (text) *text = 'b' + GoQuote(*text);
        return text;
      }
      case ValueKind::Double: {
        const double number = value.as_double();
        if (std::isfinite(number)) return PlainText(number, 'f', kPrecision);
        return GoQuote(ShortestText(number));
      }
      case ValueKind::Timestamp:
        return "timestamp(" + GoQuote(TimestampText(value)) + ')';
      case ValueKind::Duration:
        return "duration(" + GoQuote(DurationText(value.duration_ns())) + ')';
      case ValueKind::Opaque:
      case ValueKind::Optional:
      case ValueKind::Error:
        return std::unexpected("no formatting function for " +
                               std::string(value.RuntimeType()->name()));
      default:
        return String(value);
    }
  }

  Written ListText(const Value& list) const {
    std::string out = "[";
    for (const Value& element : list.elements()) {
      if (out.size() > 1) out += ", ";
      const Written text = LiteralText(element);
      evaluation_.Spend(WorkOfWriting(text ? text->size() : 0));
      if (!text) return text;
      out += *text;
      if (out.size() > kTextBytesMax) return std::unexpected(kTooLarge);
    }
    return out + ']';
  }

  Written MapText(const Value& map) const {
    std::map<std::string, std::string> sorted;
    const auto add = [&](const Value& key, const Value& value) -> std::optional<std::string> {
      Written key_text = LiteralText(key);
      if (!key_text) return key_text.error();
      Written value_text = LiteralText(value);
      if (!value_text) return value_text.error();
      evaluation_.Spend(WorkOfWriting(key_text->size() + value_text->size()));
      sorted.insert_or_assign(*std::move(key_text), *std::move(value_text));
      return std::nullopt;
    };
    if (map.is(ValueKind::Map)) {
      for (const MapValue::Entry& entry : map.map().entries()) {
        if (auto fault = add(entry.key, entry.value)) return std::unexpected(*fault);
      }
    } else {
      const ObjectValue& object = map.object();
      for (std::size_t i = 0; i < object.type().fields.size(); ++i) {
        const Value key = Value::String(object.type().fields[i].name);
        if (auto fault = add(key, object.field(i))) return std::unexpected(*fault);
      }
    }
    std::string out = "{";
    for (const auto& [key, value] : sorted) {
      if (out.size() > 1) out += ", ";
      out.append(key).append(":").append(value);
      if (out.size() > kTextBytesMax) return std::unexpected(kTooLarge);
    }
    return out + '}';
  }

  Evaluation& evaluation_;
};

}  // namespace

Value FormatText(Evaluation& evaluation, const Value* arguments) {
  return FormatBy(ClausesV2(evaluation), evaluation, arguments);
}

}  // namespace plimsoll::cel
