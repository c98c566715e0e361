#include "cel/eval/well_known_value.h"

#include <limits>

#include "cel/eval/access.h"
#include "cel/library/time_text.h"

namespace plimsoll::cel {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// The fields that a literal gives.
struct Fields {
  std::span<const Value> names;
  std::span<const Value> values;

  Value Get(std::string_view name, const Value& otherwise) const {
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i].text() == name) return values[i];
    }
    return otherwise;
  }
};

Value MakeInt32(Evaluation& evaluation, const Value& value) {
  if (value.is(ValueKind::Int) && value.as_int() >= INT32_MIN && value.as_int() <= INT32_MAX) {
    return value;
  }
  return evaluation.Fail("integer overflow");
}

Value MakeUint32(Evaluation& evaluation, const Value& value) {
  if (value.is(ValueKind::Uint) && value.as_uint() <= UINT32_MAX) return value;
  return evaluation.Fail("unsigned integer overflow");
}

Value MakeDuration(Evaluation& evaluation, const Fields& fields) {
  std::int64_t nanoseconds = 0;
  const Value seconds = fields.Get("seconds", Value::Int(0));
  const Value nanos = fields.Get("nanos", Value::Int(0));
  if (__builtin_mul_overflow(seconds.as_int(), kSecond, &nanoseconds) ||
      __builtin_add_overflow(nanoseconds, nanos.as_int(), &nanoseconds)) {
    return evaluation.Fail("integer overflow");
  }
  return Value::Duration(nanoseconds);
}

Value MakeTimestamp(Evaluation& evaluation, const Fields& fields) {
  std::int64_t seconds = fields.Get("seconds", Value::Int(0)).as_int();
  std::int64_t nanos = fields.Get("nanos", Value::Int(0)).as_int();
  const bool is_shifted =
      __builtin_add_overflow(seconds, nanos / kSecond - (nanos % kSecond < 0 ? 1 : 0), &seconds);
  nanos = (nanos % kSecond + kSecond) % kSecond;
  if (is_shifted || !IsTimestamp(seconds)) return evaluation.Fail("timestamp overflow");
  return Value::Timestamp(seconds, static_cast<std::uint32_t>(nanos));
}

/// A Value is whichever of its fields is given.
Value MakeDynamic(const Fields& fields) {
  if (fields.values.empty() || fields.names.back().text() == "null_value") return Value::Null();
  return fields.values.back();
}

}  // namespace

Value MakeWellKnown(Evaluation& evaluation, std::string_view message, std::span<const Value> fields,
                    std::span<const Value> values) {
  const Fields given{fields, values};
  const std::string_view name = message.substr(message.rfind('.') + 1);
  if (name == "Struct") {
    return given.Get("fields", Value::Map(MapValue::Make({}, evaluation.arena())));
  }
  if (name == "ListValue") return given.Get("values", Value::List({}));
  if (name == "Value") return MakeDynamic(given);
  if (name == "Duration") return MakeDuration(evaluation, given);
  if (name == "Timestamp") return MakeTimestamp(evaluation, given);
  if (name == "BoolValue") return given.Get("value", Value::Bool(false));
  if (name == "BytesValue") return given.Get("value", Value::Bytes({}));
  if (name == "StringValue") return given.Get("value", Value::String({}));
  if (name == "DoubleValue") return given.Get("value", Value::Double(0));
  if (name == "FloatValue") {
    const double wide = given.Get("value", Value::Double(0)).as_double();
    return Value::Double(static_cast<double>(static_cast<float>(wide)));
  }
  if (name == "Int64Value") return given.Get("value", Value::Int(0));
  if (name == "UInt64Value") return given.Get("value", Value::Uint(0));
  if (name == "Int32Value") return MakeInt32(evaluation, given.Get("value", Value::Int(0)));
  if (name == "UInt32Value") return MakeUint32(evaluation, given.Get("value", Value::Uint(0)));
  return evaluation.Fail("conversion error: got Any with empty type-url");
}

}  // namespace plimsoll::cel
