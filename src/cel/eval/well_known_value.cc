#include "cel/eval/well_known_value.h"

#include <algorithm>

#include "cel/eval/json_value.h"
#include "cel/library/time_text.h"

namespace plimsoll::cel {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

/// The fields of a literal.
struct Fields {
  std::span<const MessageField> given;

  Value Get(std::string_view name, const Value& otherwise) const {
    const auto found = std::ranges::find(given, name, &MessageField::name);
    return found == given.end() ? otherwise : found->value;
  }
};

bool FitsField(std::string_view type, const Value& value) {
  switch (value.kind()) {
    case ValueKind::Bool:
      return type == "bool";
    case ValueKind::Int:
      return type == "int";
    case ValueKind::Uint:
      return type == "uint";
    case ValueKind::Double:
      return type == "double";
    case ValueKind::String:
      return type == "string";
    case ValueKind::Bytes:
      return type == "bytes";
    case ValueKind::List:
      return type.starts_with("list(");
    case ValueKind::Map:
    case ValueKind::Object:
      return type.starts_with("map(");
    default:
      return false;
  }
}

/// Checks a field at run time, because dyn or CompileUnchecked may let wrong ones through.
/// Returns Null if it is valid.
Value CheckField(Evaluation& evaluation, const WellKnownType& message, const MessageField& given) {
  const auto field = std::ranges::find(message.fields, given.name, &ObjectField::name);
  if (field == message.fields.end()) {
    return evaluation.FailCopied("no such field '" + std::string(given.name) + "'");
  }
  if (FitsField(field->type, given.value)) return Value::Null();
  return evaluation.FailCopied("field type conversion error for " + std::string(message.name) +
                               "." + std::string(given.name) +
                               " value type: " + std::string(given.value.RuntimeType()->name()));
}

Value MakeInt32(Evaluation& evaluation, const Value& value) {
  if (value.as_int() >= INT32_MIN && value.as_int() <= INT32_MAX) return value;
  return evaluation.Fail("integer overflow");
}

Value MakeUint32(Evaluation& evaluation, const Value& value) {
  if (value.as_uint() <= UINT32_MAX) return value;
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

/// A google.protobuf.Value is the last field that is given.
Value MakeDynamic(Evaluation& evaluation, const Fields& fields) {
  if (fields.given.empty() || fields.given.back().name == "null_value") return Value::Null();
  return ToJson(evaluation, fields.given.back().value);
}

Value MakeAny(Evaluation& evaluation, const Fields& fields) {
  const std::string_view url = fields.Get("type_url", Value::String({})).text();
  if (url.empty()) return evaluation.Fail("conversion error: got Any with empty type-url");
  return evaluation.FailCopied("unknown type: '" + std::string(url) + "'");
}

}  // namespace

Value MakeWellKnown(Evaluation& evaluation, const WellKnownType& message,
                    std::span<const MessageField> fields) {
  for (const MessageField& field : fields) {
    if (const Value fault = CheckField(evaluation, message, field); fault.is_error()) return fault;
  }
  const Fields given{fields};
  const std::string_view name = message.name.substr(message.name.rfind('.') + 1);
  if (name == "Struct") {
    const Value empty = Value::Map(MapValue::Make({}, evaluation.arena()));
    return ToJson(evaluation, given.Get("fields", empty));
  }
  if (name == "ListValue") return ToJson(evaluation, given.Get("values", Value::List({})));
  if (name == "Value") return MakeDynamic(evaluation, given);
  if (name == "Any") return MakeAny(evaluation, given);
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
  PL_ASSERT(name == "UInt32Value");
  return MakeUint32(evaluation, given.Get("value", Value::Uint(0)));
}

}  // namespace plimsoll::cel
