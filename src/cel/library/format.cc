#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "base/syntax.h"
#include "base/text/ascii.h"
#include "base/text/utf8.h"
#include "cel/library/go_url.h"
#include "cel/library/libraries.h"
#include "cel/library/make_value.h"
#include "cel/library/opaque_value.h"
#include "cel/library/runtime_cost.h"
#include "cel/library/static_cost.h"
#include "cel/library/time_text.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

using Validate = Faults (*)(std::string_view text);

struct NamedFormat {
  std::string_view name;   // name in expressions
  std::string_view title;  // name in the format's own error messages
  Validate validate;
  std::uint64_t regex_size;  // for costs: size of the equivalent regular expression
};

/// A name prefix, to which a suffix is added, may end in a hyphen.
template <Validate kValidate>
Faults CheckPrefix(std::string_view text) {
  if (text.size() <= 1 || !text.ends_with('-')) return kValidate(text);
  return kValidate(std::string(text.substr(0, text.size() - 2)) + 'a');
}

Faults CheckUri(std::string_view text) {
  return IsRequestUri(text) ? Faults{} : Faults{ExplainRequestUri(text)};
}

/// Each of the hyphens may be missing.
Faults CheckUuid(std::string_view text) {
  for (const std::size_t digits : {8u, 4u, 4u, 4u, 12u}) {
    const bool fits =
        text.size() >= digits &&
        std::all_of(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(digits), IsHexDigit);
    if (!fits) return {"does not match the UUID format"};
    text.remove_prefix(digits);
    if (digits != 12 && text.starts_with('-')) text.remove_prefix(1);
  }
  return text.empty() ? Faults{} : Faults{"does not match the UUID format"};
}

/// Matches one or more groups of four, of which the last may be padded.
Faults CheckBase64(std::string_view text) {
  const bool has_groups = !text.empty() && text.size() % 4 == 0;
  for (int padding = 0; padding < 2 && text.ends_with('='); ++padding) text.remove_suffix(1);
  const bool has_digits = std::all_of(
      text.begin(), text.end(), [](char c) { return IsAlphanumeric(c) || c == '+' || c == '/'; });
  return has_groups && has_digits ? Faults{} : Faults{"invalid base64"};
}

bool IsDate(std::string_view text) {
  return text.size() == 10 && ParseTimestamp(std::string(text) + "T00:00:00Z").has_value();
}

Faults CheckDate(std::string_view text) { return IsDate(text) ? Faults{} : Faults{"invalid date"}; }

bool IsNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

/// Matches two digits with a value of at most `max`.
bool IsClock(std::string_view text, std::string_view max) {
  return text.size() == 2 && IsNumber(text) && text <= max;
}

/// Matches `12:30:00.5z`, in lower case. Any character may precede the fraction.
bool IsTimeOfDay(std::string_view text) {
  const bool has_clock = text.size() > 8 && IsClock(text.substr(0, 2), "23") && text[2] == ':' &&
                         IsClock(text.substr(3, 2), "59") && text[5] == ':' &&
                         IsClock(text.substr(6, 2), "59");
  if (!has_clock) return false;
  text.remove_prefix(8);
  std::string_view fraction;
  if (text.ends_with('z')) {
    fraction = text.substr(0, text.size() - 1);
  } else {
    if (text.size() < 6) return false;
    const std::string_view offset = text.substr(text.size() - 6);
    const bool has_offset = (offset[0] == '+' || offset[0] == '-') &&
                            IsNumber(offset.substr(1, 2)) && offset[3] == ':' &&
                            IsNumber(offset.substr(4));
    if (!has_offset) return false;
    fraction = text.substr(0, text.size() - 6);
  }
  if (fraction.empty()) return true;
  return fraction[0] != '\n' && IsNumber(fraction.substr(DecodeRune(fraction).bytes));
}

Faults CheckDatetime(std::string_view text) {
  const std::string lower = Lowered(text);
  // The text after a second t is ignored.
  const std::size_t first = lower.find('t');
  if (first == std::string::npos) return {"invalid datetime"};
  const std::string_view rest = std::string_view(lower).substr(first + 1);
  const bool is_valid =
      IsDate(lower.substr(0, first)) && IsTimeOfDay(rest.substr(0, rest.find('t')));
  return is_valid ? Faults{} : Faults{"invalid datetime"};
}

constexpr auto kFormats = std::to_array<NamedFormat>({
    {"dns1123Label", "DNS1123Label", CheckDns1123Label, 30},
    {"dns1123Subdomain", "DNS1123Subdomain", CheckDns1123Subdomain, 60},
    {"dns1035Label", "DNS1035Label", CheckDns1035Label, 30},
    {"qualifiedName", "QualifiedName", CheckQualifiedName, 60},
    {"dns1123LabelPrefix", "DNS1123LabelPrefix", CheckPrefix<CheckDns1123Label>, 30},
    {"dns1123SubdomainPrefix", "DNS1123SubdomainPrefix", CheckPrefix<CheckDns1123Subdomain>, 60},
    {"dns1035LabelPrefix", "DNS1035LabelPrefix", CheckPrefix<CheckDns1035Label>, 30},
    {"labelValue", "LabelValue", CheckLabelValue, 40},
    {"uri", "URI", CheckUri, 1103},
    {"uuid", "UUID", CheckUuid, 70},
    {"byte", "Byte", CheckBase64, 84},
    {"date", "Date", CheckDate, 71},
    {"datetime", "DateTime", CheckDatetime, 71},
});

/// `kubernetes.NamedFormat`
class FormatValue final : public OpaqueValue {
 public:
  explicit FormatValue(const NamedFormat& format) : format_(format) {}

  const NamedFormat& format() const { return format_; }

  const Type* type() const override {
    static const OpaqueType type("kubernetes.NamedFormat");
    return type.get();
  }
  Value Equals(Evaluation& evaluation, const Value& other) const override {
    const FormatValue* const right = Find<FormatValue>(other);
    if (right == nullptr) return evaluation.NoSuchOverload();
    return Value::Bool(&format_ == &right->format_);
  }
  std::string Text() const override { return std::string(format_.title); }
  std::string_view maker() const override { return "format.named"; }

 private:
  const NamedFormat& format_;
};

template <std::size_t kPlace>
Value Get(Evaluation& evaluation, const Value*) {
  return MakeOpaque<FormatValue>(evaluation.arena(), kFormats[kPlace]);
}

consteval std::size_t PlaceOf(std::string_view name) {
  std::size_t place = 0;
  while (kFormats[place].name != name) ++place;
  return place;
}

Value Named(Evaluation& evaluation, const Value* arguments) {
  for (const NamedFormat& format : kFormats) {
    if (format.name != arguments[0].text()) continue;
    return MakeOptional(evaluation.arena(), MakeOpaque<FormatValue>(evaluation.arena(), format));
  }
  return Value::Optional(nullptr);
}

Value ValidateText(Evaluation& evaluation, const Value* arguments) {
  const Faults faults = As<FormatValue>(arguments[0]).format().validate(arguments[1].text());
  if (faults.empty()) return Value::Optional(nullptr);
  std::vector<Value> texts;
  for (const std::string& fault : faults) texts.push_back(evaluation.Text(fault));
  return MakeOptional(evaluation.arena(), MakeList(evaluation.arena(), texts));
}

/// Costs as much as matching a regular expression of the format's size.
std::uint64_t CostOfValidate(std::span<const Value> arguments, Value) {
  const FormatValue* const format = Find<FormatValue>(arguments[0]);
  if (format == nullptr) return kNoCostRule;
  return MultiplyCost(SizeCost(ActualSize(arguments[1]) + 1, kTextCost),
                      SizeCost(format->format().regex_size, kRegexCost));
}

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "format.byte",
     .name = "format.byte",
     .signature = "-> kubernetes.NamedFormat",
     .implementation = Get<PlaceOf("byte")>},
    {.id = "format.date",
     .name = "format.date",
     .signature = "-> kubernetes.NamedFormat",
     .implementation = Get<PlaceOf("date")>},
    {.id = "format.datetime",
     .name = "format.datetime",
     .signature = "-> kubernetes.NamedFormat",
     .implementation = Get<PlaceOf("datetime")>},
    {.id = "format.dns1035Label",
     .name = "format.dns1035Label",
     .signature = "-> kubernetes.NamedFormat",
     .implementation = Get<PlaceOf("dns1035Label")>},
    {.id = "format.dns1035LabelPrefix",
     .name = "format.dns1035LabelPrefix",
     .signature = "-> kubernetes.NamedFormat",
     .implementation = Get<PlaceOf("dns1035LabelPrefix")>},
    {.id = "format.dns1123Label",
     .name = "format.dns1123Label",
     .signature = "-> kubernetes.NamedFormat",
     .implementation = Get<PlaceOf("dns1123Label")>},
    {.id = "format.dns1123LabelPrefix",
     .name = "format.dns1123LabelPrefix",
     .signature = "-> kubernetes.NamedFormat",
     .implementation = Get<PlaceOf("dns1123LabelPrefix")>},
    {.id = "format.dns1123Subdomain",
     .name = "format.dns1123Subdomain",
     .signature = "-> kubernetes.NamedFormat",
     .implementation = Get<PlaceOf("dns1123Subdomain")>},
    {.id = "format.dns1123SubdomainPrefix",
     .name = "format.dns1123SubdomainPrefix",
     .signature = "-> kubernetes.NamedFormat",
     .implementation = Get<PlaceOf("dns1123SubdomainPrefix")>},
    {.id = "format.labelValue",
     .name = "format.labelValue",
     .signature = "-> kubernetes.NamedFormat",
     .implementation = Get<PlaceOf("labelValue")>},
    {.id = "format-named",
     .name = "format.named",
     .signature = "string -> optional_type(kubernetes.NamedFormat)",
     .implementation = Named},
    {.id = "format.qualifiedName",
     .name = "format.qualifiedName",
     .signature = "-> kubernetes.NamedFormat",
     .implementation = Get<PlaceOf("qualifiedName")>},
    {.id = "format.uri",
     .name = "format.uri",
     .signature = "-> kubernetes.NamedFormat",
     .implementation = Get<PlaceOf("uri")>},
    {.id = "format.uuid",
     .name = "format.uuid",
     .signature = "-> kubernetes.NamedFormat",
     .implementation = Get<PlaceOf("uuid")>},
    {.id = "format-validate",
     .name = "validate",
     .is_member = true,
     .signature = "kubernetes.NamedFormat, string -> optional_type(list(string))",
     .implementation = ValidateText},
});

constexpr auto kRuntimeCosts = std::to_array<RuntimeCostRule>({
    {"validate", CostOfValidate},
});

constexpr std::string_view kTypeName = "kubernetes.NamedFormat";

// Upstream's assumed size of a format's name, and of the regular expression behind it.
constexpr CostRange kNameSize{1, 64};
constexpr double kRegexSize = 128;

std::optional<CallEstimate> ValidateCost(CostContext& context, const CostCall& call) {
  return CallEstimate{
      .cost = context.SizeOf(call.arguments[0]).Scale(kTextCost).Scale(kRegexSize * kRegexCost)};
}

std::optional<CallEstimate> EqualCost(CostContext& context, const CostCall& call) {
  if (!StaticCostOfEqual<kTypeName>(context, call)) return std::nullopt;
  return CallEstimate{.cost = kNameSize.Scale(kTextCost)};
}

constexpr auto kStaticCosts = std::to_array<StaticCostRule>({
    {"validate", ValidateCost},
    {"_==_", EqualCost},
});

constexpr std::array<std::string_view, 1> kObjects{"kubernetes.NamedFormat"};

}  // namespace

const Library kFormatLibrary{.name = "format",
                             .functions = kFunctions,
                             .function_costs = kStaticCosts,
                             .function_runtime_costs = kRuntimeCosts,
                             .objects = kObjects};

}  // namespace plimsoll::cel
