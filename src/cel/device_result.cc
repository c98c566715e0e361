#include "cel/device_result.h"

#include <span>
#include <string_view>

namespace plimsoll::cel {
namespace {

constexpr std::string_view kSemverName = "kubernetes.Semver";

bool HasLists(DeviceMode mode) {
  return mode == DeviceMode::NewWithLists || mode == DeviceMode::Stored;
}

bool IsScalarAttribute(const Type* type) {
  switch (type->kind()) {
    case TypeKind::Bool:
    case TypeKind::Int:
    case TypeKind::String:
    case TypeKind::Dyn:
    case TypeKind::Any:
      return true;
    default:
      return type->name() == kSemverName;
  }
}

/// Returns Go's error for converting the value to a bool.
std::string ConversionFault(const Value& value) {
  switch (value.kind()) {
    case ValueKind::Int:
      return "unsupported type conversion from 'int' to bool";
    case ValueKind::Uint:
      return "unsupported type conversion from 'uint' to bool";
    case ValueKind::Double:
      return "type conversion error from Double to 'bool'";
    case ValueKind::String:
      return "unsupported native conversion from string to 'bool'";
    case ValueKind::Bytes:
      return "type conversion error from Bytes to 'bool'";
    case ValueKind::List:
      return "type conversion error from list to 'bool'";
    case ValueKind::Map:
    case ValueKind::Object:
      return "type conversion error from map to 'bool'";
    case ValueKind::Duration:
      return "type conversion error from 'Duration' to 'bool'";
    case ValueKind::Timestamp:
      return "type conversion error from 'Timestamp' to 'bool'";
    case ValueKind::Type:
      return "type conversion not supported for 'type'";
    default: {
      const std::string_view name = value.RuntimeType()->name();
      return "type conversion error from '" + std::string(name.substr(name.rfind('.') + 1)) +
             "' to 'bool'";
    }
  }
}

/// Returns the Go type of the native value.
std::string NativeTypeName(const Value& value) {
  switch (value.kind()) {
    case ValueKind::Null:
      return "structpb.NullValue";
    case ValueKind::Bool:
      return "bool";
    case ValueKind::Int:
      return "int64";
    case ValueKind::Uint:
      return "uint64";
    case ValueKind::Double:
      return "float64";
    case ValueKind::String:
      return "string";
    case ValueKind::Bytes:
      return "[]uint8";
    case ValueKind::Duration:
      return "time.Duration";
    case ValueKind::Timestamp:
      return "time.Time";
    case ValueKind::List:
      return "[]ref.Val";
    case ValueKind::Map:
    case ValueKind::Object:
      return "map[ref.Val]ref.Val";
    default:
      return std::string(value.RuntimeType()->name());
  }
}

/// Returns the name of an element's type in lists of attributes; empty for unsupported types.
std::string_view ScalarName(const Value& value) {
  switch (value.kind()) {
    case ValueKind::Bool:
      return "bool";
    case ValueKind::Int:
      return "int";
    case ValueKind::String:
      return "string";
    case ValueKind::Opaque:
      return value.opaque().type()->name() == kSemverName ? "semver" : "";
    default:
      return {};
  }
}

}  // namespace

std::string CheckSelectorType(const Type* type, DeviceMode mode) {
  // Attributes have type `dyn` if they may be lists, otherwise `any`.
  const TypeKind attribute = HasLists(mode) ? TypeKind::Dyn : TypeKind::Any;
  if (type->is(TypeKind::Bool) || type->is(attribute)) return {};
  return "must evaluate to bool or the unknown type, not " + OutputText(type);
}

std::string RefuseAttributeType(const Type* type, DeviceMode mode) {
  if (IsScalarAttribute(type)) return {};
  const bool is_list = type->is(TypeKind::List) && IsScalarAttribute(type->parameter(0));
  if (HasLists(mode) && is_list) return {};
  return std::string("must evaluate to a primitive scalar (string, integer, boolean, semver)") +
         (HasLists(mode) ? " or a list of these scalars" : "") + ", not " + OutputText(type);
}

std::expected<bool, std::string> MatchOf(const Value& result) {
  if (result.is(ValueKind::Bool)) return result.as_bool();
  if (result.is_error()) return std::unexpected(result.error().Text());
  return std::unexpected("CEL result of type " + std::string(result.RuntimeType()->name()) +
                         " could not be converted to bool: " + ConversionFault(result));
}

std::string RefuseAttribute(const Value& result) {
  if (result.is_error()) return result.error().Text();
  if (!ScalarName(result).empty()) return {};
  if (!result.is(ValueKind::List)) return "unsupported CEL return type: " + NativeTypeName(result);
  const std::span<const Value> elements = result.elements();
  for (std::size_t i = 0; i < elements.size(); ++i) {
    const std::string_view want = ScalarName(elements[0]);
    if (want.empty()) return "unsupported CEL list element type: " + NativeTypeName(elements[0]);
    if (ScalarName(elements[i]) == want) continue;
    return "expected list element at index " + std::to_string(i) + " to be " + std::string(want) +
           ", got " + NativeTypeName(elements[i]);
  }
  return {};
}

}  // namespace plimsoll::cel
