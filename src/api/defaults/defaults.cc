#include "api/defaults/defaults.h"

#include <charconv>

#include "api/defaults/hooks.h"

namespace plimsoll::api {
namespace {

using codec::Value;

/// Parses the value of `set` or `fill` in a description: a text, an integer, a boolean, or an empty
/// object. Texts live in the static tables and are not copied.
Value ConstantValue(codec::Document& document, std::string_view json) {
  switch (json.front()) {
    case '"':
      return Value::String(json.substr(1, json.size() - 2));
    case '{':
      return document.NewObject();
    case 't':
    case 'f':
      return Value::Bool(json.front() == 't');
    default: {
      std::int64_t number = 0;
      std::from_chars(json.data(), json.data() + json.size(), number);
      return Value::Int(number);
    }
  }
}

class Defaulter {
 public:
  explicit Defaulter(codec::Document& document) : document_(document) {}

  void Struct(Value& object, const TypeDesc& type) {
    if (!type.reaches_defaults) return;
    for (const codec::FieldId field : type.defaulted)
      SetConstant(object, type.fields[field], field);
    if (type.default_hook != nullptr) type.default_hook(document_, object);
    for (codec::Member& member : object.members()) {
      if (member.field != codec::kUnknownField) {
        Walk(member.value, *type.fields[member.field].shape);
      }
    }
  }

 private:
  void SetConstant(Value& object, const FieldDesc& described, codec::FieldId field) {
    if (Value* present = defaults::FindMember(object, field)) {
      if (described.fills_zero && defaults::IsZero(present)) {
        *present = ConstantValue(document_, described.set_json);
      }
      return;
    }
    document_.AppendMember(object,
                           {described.name, ConstantValue(document_, described.set_json), field});
  }

  void Walk(Value& value, const Shape& shape) {
    switch (shape.kind) {
      case ShapeKind::Struct:
        return Struct(value, *shape.type);
      case ShapeKind::List:
        return Elements(value, *shape.element);
      case ShapeKind::Map:
        if (shape.is_resource_list) return defaults::RoundResources(document_, value);
        return Elements(value, *shape.element);
      default:
        return;
    }
  }

  void Elements(Value& value, const Shape& element) {
    const bool is_container = element.kind == ShapeKind::Struct ||
                              element.kind == ShapeKind::List || element.kind == ShapeKind::Map;
    if (!is_container) return;
    for (Value& item : value.items()) Walk(item, element);
    for (codec::Member& member : value.members()) Walk(member.value, element);
  }

  codec::Document& document_;
};

}  // namespace

void ApplyDefaults(codec::Document& document, codec::Value& tree, const TypeDesc& type) {
  Defaulter(document).Struct(tree, type);
}

}  // namespace plimsoll::api
