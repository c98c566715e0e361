// Newest version of the strings library, which Kubernetes does not use yet. `format` writes numbers
// as Go does and nested values without quotes, and texts can be reversed.

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "base/text/utf8.h"
#include "cel/library/make_value.h"
#include "cel/library/number_text.h"
#include "cel/library/strings_format.h"
#include "cel/library/time_text.h"
#include "cel/library/valid_text.h"
#include "cel_extensions/extensions.h"

namespace plimsoll::cel {
namespace {

constexpr int kPrecision = 6;

std::string SpecialText(double value) {
  if (std::isnan(value)) return "NaN";
  return value < 0 ? "-Infinity" : "Infinity";
}

class ClausesLatest final : public FormatClauses {
 public:
  explicit ClausesLatest(Evaluation& evaluation) : evaluation_(evaluation) {}

  // Values nest no deeper than the expression that created them.
  Written String(const Value& value) const override {
    switch (value.kind()) {
      case ValueKind::Null:
        return "null";
      case ValueKind::Bool:
        return value.as_bool() ? "true" : "false";
      case ValueKind::Int:
      case ValueKind::Uint:
        return IntegerText(value);
      case ValueKind::Double:
        return std::isfinite(value.as_double()) ? FixedText(value.as_double())
                                                : SpecialText(value.as_double());
      case ValueKind::String:
      case ValueKind::Bytes:
        return std::string(value.text());
      case ValueKind::Duration:
        return DurationText(value.duration_ns());
      case ValueKind::Timestamp:
        return TimestampText(Value::Timestamp(value.seconds(), value.nanoseconds()));
      case ValueKind::Type:
        return std::string(value.type()->name());
      case ValueKind::List:
        return ListText(value);
      case ValueKind::Map:
        return MapText(value.map());
      default:
        return NotFor(
            "string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, "
            "types, durations, and timestamps",
            value);
    }
  }

  Written Decimal(const Value& value) const override {
    if (value.is(ValueKind::Double)) return String(value);
    return NotFor("decimal clause can only be used on ints, uints, and doubles", value);
  }

  Written Fixed(const Value& value, std::optional<int> precision) const override {
    return NumberText(value, 'f', precision.value_or(kPrecision),
                      "fixed-point clause can only be used on ints, uints, and doubles");
  }

  Written Scientific(const Value& value, std::optional<int> precision) const override {
    return NumberText(value, 'e', precision.value_or(kPrecision),
                      "scientific clause can only be used on ints, uints, and doubles");
  }

  std::string_view Refusal(char letter) const override {
    switch (letter) {
      case 'b':
        return "only ints, uints, and bools can be formatted as binary";
      case 'o':
        return "octal clause can only be used on ints and uints";
      default:
        return "only ints, uints, bytes, and strings can be formatted as hex";
    }
  }

 private:
  static Written NumberText(const Value& value, char verb, int precision,
                            std::string_view refusal) {
    double number = 0;
    if (value.is(ValueKind::Double)) {
      number = value.as_double();
    } else if (value.is(ValueKind::Int)) {
      number = static_cast<double>(value.as_int());
    } else if (value.is(ValueKind::Uint)) {
      number = static_cast<double>(value.as_uint());
    } else {
      return NotFor(refusal, value);
    }
    return std::isfinite(number) ? PlainText(number, verb, precision) : SpecialText(number);
  }

  Written ListText(const Value& list) const {
    std::string out = "[";
    for (const Value& element : list.elements()) {
      if (out.size() > 1) out += ", ";
      const Written text = String(element);
      evaluation_.Spend(WorkOfWriting(text ? text->size() : 0));
      if (!text) return text;
      out += *text;
      if (out.size() > kTextBytesMax) return std::unexpected("the resulting string is too large");
    }
    return out + ']';
  }

  Written MapText(const MapValue& map) const {
    std::map<std::string, std::string> sorted;
    for (const MapValue::Entry& entry : map.entries()) {
      Written key = String(entry.key);
      if (!key) return key;
      Written value = String(entry.value);
      if (!value) return value;
      evaluation_.Spend(WorkOfWriting(key->size() + value->size()));
      sorted.insert_or_assign(*std::move(key), *std::move(value));
    }
    std::string out = "{";
    for (const auto& [key, value] : sorted) {
      if (out.size() > 1) out += ", ";
      out.append(key).append(": ").append(value);
      if (out.size() > kTextBytesMax) return std::unexpected("the resulting string is too large");
    }
    return out + '}';
  }

  Evaluation& evaluation_;
};

Value FormatLatest(Evaluation& evaluation, const Value* arguments) {
  return FormatBy(ClausesLatest(evaluation), evaluation, arguments);
}

Value Reverse(Evaluation& evaluation, const Value* arguments) {
  std::string_view text = ToRunes(arguments[0].text(), evaluation.arena());
  std::string reversed(text.size(), '\0');
  std::size_t at = text.size();
  while (!text.empty()) {
    const std::size_t bytes = DecodeRune(text).bytes;
    at -= bytes;
    reversed.replace(at, bytes, text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
  return evaluation.Text(reversed);
}

/// Copies the functions of version 2, which is constant-initialized and so available at start-up.
std::vector<Function> LatestFunctions() {
  std::vector<Function> functions(kStringsLibrary.functions.begin(),
                                  kStringsLibrary.functions.end());
  for (Function& function : functions) {
    if (function.id == "string_format") function.implementation = FormatLatest;
  }
  functions.push_back({.id = "string_reverse",
                       .name = "reverse",
                       .is_member = true,
                       .signature = "string -> string",
                       .implementation = Reverse});
  return functions;
}

const std::vector<Function> kFunctions = LatestFunctions();

}  // namespace

const Library kStringsLatestLibrary{
    .name = "strings_latest",
    .functions = kFunctions,
    .mixed_literal_functions = kStringsLibrary.mixed_literal_functions};

}  // namespace plimsoll::cel
