#include <array>
#include <charconv>
#include <optional>
#include <string>

#include "base/go_duration.h"
#include "base/text/utf8.h"
#include "cel/library/libraries.h"
#include "cel/library/number_text.h"
#include "cel/library/runtime_cost.h"
#include "cel/library/static_cost.h"
#include "cel/library/time_text.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

/// The error's text is the name of the type.
std::string ConversionFault(const ErrorValue& error) {
  std::string text = "type conversion error from 'string' to '";
  return text.append(error.text()).append("'");
}

Value CannotBe(Evaluation& evaluation, std::string_view type) {
  return evaluation.FailLater(ConversionFault, type);
}

Value IntegerOverflow(Evaluation& evaluation) { return evaluation.Fail("integer overflow"); }
Value UnsignedOverflow(Evaluation& evaluation) {
  return evaluation.Fail("unsigned integer overflow");
}

Value Same(Evaluation&, const Value* arguments) { return arguments[0]; }

Value TypeOf(Evaluation&, const Value* arguments) {
  return Value::OfType(arguments[0].RuntimeType());
}

/// Conversions cost one, regardless of the text's length;
/// excess length counts as work.
void SpendOnLength(Evaluation& evaluation, std::string_view text, std::uint64_t work_per_byte) {
  constexpr std::size_t kBytesFree = 64;
  if (text.size() > kBytesFree) evaluation.Spend((text.size() - kBytesFree) * work_per_byte);
}

Value StringToBool(Evaluation& evaluation, const Value* arguments) {
  const std::optional<bool> value = ParseBool(arguments[0].text());
  return value ? Value::Bool(*value) : CannotBe(evaluation, "bool");
}

Value StringToBytes(Evaluation&, const Value* arguments) {
  return Value::Bytes(arguments[0].text());
}

Value IntToDouble(Evaluation&, const Value* arguments) {
  return Value::Double(static_cast<double>(arguments[0].as_int()));
}

Value UintToDouble(Evaluation&, const Value* arguments) {
  return Value::Double(static_cast<double>(arguments[0].as_uint()));
}

Value StringToDouble(Evaluation& evaluation, const Value* arguments) {
  SpendOnLength(evaluation, arguments[0].text(), 4);
  const std::optional<double> value = ParseDouble(arguments[0].text());
  return value ? Value::Double(*value) : CannotBe(evaluation, "double");
}

Value StringToDuration(Evaluation& evaluation, const Value* arguments) {
  SpendOnLength(evaluation, arguments[0].text(), 1);
  const std::optional<Duration> value = ParseGoDuration(arguments[0].text());
  return value ? Value::Duration(value->count()) : CannotBe(evaluation, types::kDuration->name());
}

Value DoubleToInt(Evaluation& evaluation, const Value* arguments) {
  // Both limits are rejected, although the lower one would fit.
  const double value = arguments[0].as_double();
  if (!(value > -0x1p63 && value < 0x1p63)) return IntegerOverflow(evaluation);
  return Value::Int(static_cast<std::int64_t>(value));
}

Value DurationToInt(Evaluation&, const Value* arguments) {
  return Value::Int(arguments[0].duration_ns());
}

Value StringToInt(Evaluation& evaluation, const Value* arguments) {
  std::string_view text = arguments[0].text();
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return CannotBe(evaluation, "int");
  return Value::Int(value);
}

Value TimestampToInt(Evaluation&, const Value* arguments) {
  return Value::Int(arguments[0].seconds());
}

Value UintToInt(Evaluation& evaluation, const Value* arguments) {
  if (arguments[0].as_uint() > INT64_MAX) return IntegerOverflow(evaluation);
  return Value::Int(static_cast<std::int64_t>(arguments[0].as_uint()));
}

Value BoolToString(Evaluation&, const Value* arguments) {
  return Value::String(arguments[0].as_bool() ? "true" : "false");
}

Value BytesToString(Evaluation& evaluation, const Value* arguments) {
  if (!IsUtf8(arguments[0].text())) {
    return evaluation.Fail("invalid UTF-8 in bytes, cannot convert to string");
  }
  return Value::String(arguments[0].text());
}

Value DoubleToString(Evaluation& evaluation, const Value* arguments) {
  return evaluation.Text(ShortestText(arguments[0].as_double()));
}

Value DurationToString(Evaluation& evaluation, const Value* arguments) {
  return evaluation.Text(DurationText(arguments[0].duration_ns()));
}

Value IntToString(Evaluation& evaluation, const Value* arguments) {
  return evaluation.Text(std::to_string(arguments[0].as_int()));
}

Value TimestampToString(Evaluation& evaluation, const Value* arguments) {
  return evaluation.Text(TimestampText(arguments[0]));
}

Value UintToString(Evaluation& evaluation, const Value* arguments) {
  return evaluation.Text(std::to_string(arguments[0].as_uint()));
}

Value IntToTimestamp(Evaluation& evaluation, const Value* arguments) {
  if (!IsTimestamp(arguments[0].as_int())) return evaluation.Fail("timestamp overflow");
  return Value::Timestamp(arguments[0].as_int(), 0);
}

Value StringToTimestamp(Evaluation& evaluation, const Value* arguments) {
  SpendOnLength(evaluation, arguments[0].text(), 1);
  const std::optional<Value> value = ParseTimestamp(arguments[0].text());
  if (!value) return CannotBe(evaluation, types::kTimestamp->name());
  if (!IsTimestamp(value->seconds())) return evaluation.Fail("timestamp overflow");
  return *value;
}

Value DoubleToUint(Evaluation& evaluation, const Value* arguments) {
  const double value = arguments[0].as_double();
  if (!(value >= 0 && value < 0x1p64)) return UnsignedOverflow(evaluation);
  return Value::Uint(static_cast<std::uint64_t>(value));
}

Value IntToUint(Evaluation& evaluation, const Value* arguments) {
  if (arguments[0].as_int() < 0) return UnsignedOverflow(evaluation);
  return Value::Uint(static_cast<std::uint64_t>(arguments[0].as_int()));
}

Value StringToUint(Evaluation& evaluation, const Value* arguments) {
  const std::string_view text = arguments[0].text();
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return CannotBe(evaluation, "uint");
  return Value::Uint(value);
}

constexpr auto kFunctions = std::to_array<Function>({
    {.id = "type",
     .name = "type",
     .signature = "A -> type(A)",
     .implementation = TypeOf,
     .folds = true},
    {.id = "bool_to_bool",
     .name = "bool",
     .signature = "bool -> bool",
     .implementation = Same,
     .folds = true},
    {.id = "string_to_bool",
     .name = "bool",
     .signature = "string -> bool",
     .implementation = StringToBool,
     .folds = true},
    {.id = "bytes_to_bytes",
     .name = "bytes",
     .signature = "bytes -> bytes",
     .implementation = Same,
     .folds = true},
    {.id = "string_to_bytes",
     .name = "bytes",
     .signature = "string -> bytes",
     .implementation = StringToBytes,
     .folds = true},
    {.id = "double_to_double",
     .name = "double",
     .signature = "double -> double",
     .implementation = Same,
     .folds = true},
    {.id = "int64_to_double",
     .name = "double",
     .signature = "int -> double",
     .implementation = IntToDouble,
     .folds = true},
    {.id = "string_to_double",
     .name = "double",
     .signature = "string -> double",
     .implementation = StringToDouble,
     .folds = true},
    {.id = "uint64_to_double",
     .name = "double",
     .signature = "uint -> double",
     .implementation = UintToDouble,
     .folds = true},
    {.id = "duration_to_duration",
     .name = "duration",
     .signature = "duration -> duration",
     .implementation = Same,
     .folds = true},
    {.id = "string_to_duration",
     .name = "duration",
     .signature = "string -> duration",
     .implementation = StringToDuration,
     .folds = true},
    {.id = "to_dyn", .name = "dyn", .signature = "A -> dyn", .implementation = Same, .folds = true},
    {.id = "int64_to_int64",
     .name = "int",
     .signature = "int -> int",
     .implementation = Same,
     .folds = true},
    {.id = "double_to_int64",
     .name = "int",
     .signature = "double -> int",
     .implementation = DoubleToInt,
     .folds = true},
    {.id = "duration_to_int64",
     .name = "int",
     .signature = "duration -> int",
     .implementation = DurationToInt,
     .folds = true},
    {.id = "string_to_int64",
     .name = "int",
     .signature = "string -> int",
     .implementation = StringToInt,
     .folds = true},
    {.id = "timestamp_to_int64",
     .name = "int",
     .signature = "timestamp -> int",
     .implementation = TimestampToInt,
     .folds = true},
    {.id = "uint64_to_int64",
     .name = "int",
     .signature = "uint -> int",
     .implementation = UintToInt,
     .folds = true},
    {.id = "string_to_string",
     .name = "string",
     .signature = "string -> string",
     .implementation = Same,
     .folds = true},
    {.id = "bool_to_string",
     .name = "string",
     .signature = "bool -> string",
     .implementation = BoolToString,
     .folds = true},
    {.id = "bytes_to_string",
     .name = "string",
     .signature = "bytes -> string",
     .implementation = BytesToString,
     .folds = true},
    {.id = "double_to_string",
     .name = "string",
     .signature = "double -> string",
     .implementation = DoubleToString,
     .folds = true},
    {.id = "duration_to_string",
     .name = "string",
     .signature = "duration -> string",
     .implementation = DurationToString,
     .folds = true},
    {.id = "int64_to_string",
     .name = "string",
     .signature = "int -> string",
     .implementation = IntToString,
     .folds = true},
    {.id = "timestamp_to_string",
     .name = "string",
     .signature = "timestamp -> string",
     .implementation = TimestampToString,
     .folds = true},
    {.id = "uint64_to_string",
     .name = "string",
     .signature = "uint -> string",
     .implementation = UintToString,
     .folds = true},
    {.id = "timestamp_to_timestamp",
     .name = "timestamp",
     .signature = "timestamp -> timestamp",
     .implementation = Same,
     .folds = true},
    {.id = "int64_to_timestamp",
     .name = "timestamp",
     .signature = "int -> timestamp",
     .implementation = IntToTimestamp,
     .folds = true},
    {.id = "string_to_timestamp",
     .name = "timestamp",
     .signature = "string -> timestamp",
     .implementation = StringToTimestamp,
     .folds = true},
    {.id = "uint64_to_uint64",
     .name = "uint",
     .signature = "uint -> uint",
     .implementation = Same,
     .folds = true},
    {.id = "double_to_uint64",
     .name = "uint",
     .signature = "double -> uint",
     .implementation = DoubleToUint,
     .folds = true},
    {.id = "int64_to_uint64",
     .name = "uint",
     .signature = "int -> uint",
     .implementation = IntToUint,
     .folds = true},
    {.id = "string_to_uint64",
     .name = "uint",
     .signature = "string -> uint",
     .implementation = StringToUint,
     .folds = true},
});

constexpr auto kDefaultRuntimeCosts = std::to_array<RuntimeCostRule>({
    {"bytes_to_string", CostOfReadingHeld},
    {"string_to_bytes", CostOfReadingHeld},
});

// The products wrap around, as upstream's do.
std::optional<CallEstimate> ToBytesCost(CostContext& context, const CostCall& call) {
  const CostRange size = context.SizeOf(call.arguments[0]);
  return CallEstimate{.cost = size.Scale(kTextCost),
                      .result_size = CostRange{size.min, size.max * 4}};
}

std::optional<CallEstimate> FromBytesCost(CostContext& context, const CostCall& call) {
  const CostRange size = context.SizeOf(call.arguments[0]);
  return CallEstimate{.cost = size.Scale(kTextCost),
                      .result_size = CostRange{size.min / 4, size.max}};
}

constexpr auto kStaticCosts = std::to_array<StaticCostRule>({
    {"string_to_bytes", ToBytesCost},
    {"bytes_to_string", FromBytesCost},
});

}  // namespace

const Library kStandardConversionsLibrary{.name = "standard_conversions",
                                          .functions = kFunctions,
                                          .default_costs = kStaticCosts,
                                          .default_runtime_costs = kDefaultRuntimeCosts};

}  // namespace plimsoll::cel
