#include "cel/eval/access.h"

#include "cel/eval/mapping.h"
#include "cel/library/number_text.h"
#include "cel/number.h"

namespace plimsoll::cel {
namespace {

std::string ComposeNoSuchKey(const ErrorValue& error) {
  return "no such key: " + KeyText(error.first());
}

std::string ComposeOutOfBounds(const ErrorValue& error) {
  return "index out of bounds: " + KeyText(error.first());
}

std::string ComposeIndexType(const ErrorValue& error) {
  return "unsupported index type '" + std::string(error.first().RuntimeType()->name()) +
         "' in list";
}

std::string ComposeIndexValue(const ErrorValue& error) {
  return "unsupported index value " + KeyText(error.first()) + " in list";
}

std::string ComposeQualifier(const ErrorValue& error) {
  return "invalid qualifier type: " + GoTypeName(error.first());
}

Access FindElement(Evaluation& evaluation, const Value& list, const Value& key, Value& out) {
  std::optional<std::int64_t> index;
  switch (key.kind()) {
    case ValueKind::Int:
      index = key.as_int();
      break;
    case ValueKind::Uint:
      if (key.as_uint() <= INT64_MAX) index = static_cast<std::int64_t>(key.as_uint());
      break;
    case ValueKind::Double:
      index = ExactInt(key.as_double());
      break;
    default:
      out = evaluation.FailLater(ComposeIndexType, {}, key);
      return Access::Failed;
  }
  if (!index.has_value()) {
    out = evaluation.FailLater(ComposeIndexValue, {}, key);
    return Access::Failed;
  }
  const std::span<const Value> elements = list.elements();
  if (*index < 0 || static_cast<std::uint64_t>(*index) >= elements.size()) return Access::Absent;
  out = elements[static_cast<std::size_t>(*index)];
  return Access::Present;
}

}  // namespace

bool CanBeKey(ValueKind kind) {
  return kind == ValueKind::String || kind == ValueKind::Int || kind == ValueKind::Uint ||
         kind == ValueKind::Double || kind == ValueKind::Bool;
}

Access Find(Evaluation& evaluation, const Value& whole, const Value& key, Value& out) {
  if (!CanBeKey(key.kind())) [[unlikely]] {
    out = evaluation.FailLater(ComposeQualifier, {}, key);
    return Access::Failed;
  }
  if (IsMapping(whole)) {
    if (key.is(ValueKind::String)) evaluation.SpendOnBytes(key.text().size());
    const Value* const found = MappingFind(whole, key);
    if (found == nullptr) return Access::Absent;
    out = *found;
    return Access::Present;
  }
  if (whole.is(ValueKind::List)) return FindElement(evaluation, whole, key, out);
  return Access::Absent;
}

Value AbsentError(Evaluation& evaluation, const Value& whole, const Value& key) {
  const bool is_list = whole.is(ValueKind::List);
  return evaluation.FailLater(is_list ? ComposeOutOfBounds : ComposeNoSuchKey, {}, key);
}

std::string KeyText(const Value& key) {
  switch (key.kind()) {
    case ValueKind::String:
      return std::string(key.text());
    case ValueKind::Int:
      return std::to_string(key.as_int());
    case ValueKind::Uint:
      return std::to_string(key.as_uint());
    case ValueKind::Double:
      return ShortestText(key.as_double());
    case ValueKind::Bool:
      return key.as_bool() ? "true" : "false";
    case ValueKind::Null:
      return "null";
    default:
      return std::string(key.RuntimeType()->name());
  }
}

std::string GoTypeName(const Value& value) {
  switch (value.kind()) {
    case ValueKind::Null:
      return "types.Null";
    case ValueKind::Bool:
      return "types.Bool";
    case ValueKind::Int:
      return "types.Int";
    case ValueKind::Uint:
      return "types.Uint";
    case ValueKind::Double:
      return "types.Double";
    case ValueKind::String:
      return "types.String";
    case ValueKind::Bytes:
      return "types.Bytes";
    case ValueKind::Duration:
      return "types.Duration";
    case ValueKind::Timestamp:
      return "types.Timestamp";
    case ValueKind::List:
      return "*types.baseList";
    case ValueKind::Map:
    case ValueKind::Object:
      return "*types.baseMap";
    case ValueKind::Optional:
      return "*types.Optional";
    case ValueKind::Type:
      return "*types.Type";
    case ValueKind::Error:
      return "*types.Err";
    case ValueKind::Opaque: {
      // `kubernetes.Quantity` and `net.IP` are both in the Go package `cel`.
      const std::string_view name = value.opaque().type()->name();
      return "cel." + std::string(name.substr(name.rfind('.') + 1));
    }
  }
  return {};
}

}  // namespace plimsoll::cel
