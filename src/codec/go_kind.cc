#include "codec/go_kind.h"

namespace plimsoll::codec {

std::string_view GoKindText(const Value& value) {
  switch (value.kind()) {
    case Value::Kind::Null:
      return "null";
    case Value::Kind::Bool:
      return "bool";
    case Value::Kind::Int:
    case Value::Kind::Number:
      return "number";
    case Value::Kind::String:
      return "string";
    case Value::Kind::Array:
      return "array";
    case Value::Kind::Object:
      return "object";
  }
  return {};
}

}  // namespace plimsoll::codec
