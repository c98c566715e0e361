#include "cel/eval/json_value.h"

#include <string>

#include "base/text/base64.h"
#include "cel/eval/mapping.h"
#include "cel/library/time_text.h"

namespace plimsoll::cel {
namespace {

/// Every integer up to this one has an exact double.
constexpr std::int64_t kWholeMax = (std::int64_t{1} << 53) - 1;

Value ListToJson(Evaluation& evaluation, std::span<const Value> elements) {
  // Shared elements are copied once per reference, which costs do not cover.
  evaluation.Spend(elements.size());
  Value* const made = evaluation.arena().Allocate<Value>(elements.size());
  for (std::size_t i = 0; i < elements.size(); ++i) {
    new (made + i) Value(ToJson(evaluation, elements[i]));
    if (made[i].is_error()) return made[i];
  }
  return Value::List({made, elements.size()});
}

Value MappingToJson(Evaluation& evaluation, const Value& mapping) {
  const std::size_t size = MappingSize(mapping);
  evaluation.Spend(size);
  auto* const made = evaluation.arena().Allocate<MapValue::Entry>(size);
  for (std::size_t i = 0; i < size; ++i) {
    made[i] = {MappingKey(mapping, i), ToJson(evaluation, MappingValue(mapping, i))};
    if (!made[i].key.is(ValueKind::String)) return evaluation.Fail("bad key type");
    if (made[i].value.is_error()) return made[i].value;
  }
  return Value::Map(MapValue::Make({made, size}, evaluation.arena()));
}

}  // namespace

Value ToJson(Evaluation& evaluation, const Value& value) {
  switch (value.kind()) {
    case ValueKind::Null:
    case ValueKind::Bool:
    case ValueKind::Double:
    case ValueKind::String:
    case ValueKind::Error:
      return value;
    case ValueKind::Int:
      if (value.as_int() < -kWholeMax || value.as_int() > kWholeMax) {
        return evaluation.Text(std::to_string(value.as_int()));
      }
      return Value::Double(static_cast<double>(value.as_int()));
    case ValueKind::Uint:
      if (value.as_uint() > kWholeMax) return evaluation.Text(std::to_string(value.as_uint()));
      return Value::Double(static_cast<double>(value.as_uint()));
    case ValueKind::Bytes:
      return evaluation.Text(EncodeBase64(value.text()));
    case ValueKind::Duration:
      return evaluation.Text(DurationText(value.duration_ns()));
    case ValueKind::Timestamp:
      return evaluation.Text(TimestampText(value));
    case ValueKind::List:
      return ListToJson(evaluation, value.elements());
    case ValueKind::Map:
    case ValueKind::Object:
      return MappingToJson(evaluation, value);
    case ValueKind::Opaque:
    case ValueKind::Optional:
    case ValueKind::Type:
      break;
  }
  return evaluation.FailCopied("unsupported type conversion from '" +
                               std::string(value.RuntimeType()->name()) +
                               "' to google.protobuf.Value");
}

}  // namespace plimsoll::cel
