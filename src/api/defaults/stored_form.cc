#include "api/defaults/stored_form.h"

#include <vector>

#include "base/quantity.h"

namespace plimsoll::api {
namespace {

using codec::Document;
using codec::Value;

/// Treatment of an empty or zero field.
enum class Empty : std::uint8_t {
  Kept,     // a pointer in Go, or unknown
  Dropped,  // omitted from the JSON
  Printed,  // always in the JSON
};

/// Rules of a type's fields, by field number.
struct FormRules {
  std::vector<Empty> fields;
  std::vector<codec::FieldId> printed;  // those with Empty::Printed
};

/// OpenAPI shows a zero default for fields without omitempty. Fields with a `set` may have a zero
/// default although they can be omitted.
bool IsNeverLeftOut(const FieldDesc& field) {
  const std::string_view zero = field.default_json;
  const bool has_zero = zero == "\"\"" || zero == "0" || zero == "false";
  return field.required || (has_zero && field.set_json.empty());
}

Empty RuleOf(const FieldDesc& field) {
  switch (field.shape->kind) {
    case ShapeKind::Struct:
      return Empty::Printed;
    case ShapeKind::String:
    case ShapeKind::Int32:
    case ShapeKind::Int64:
    case ShapeKind::Bool:
      return IsNeverLeftOut(field) ? Empty::Printed : Empty::Dropped;
    case ShapeKind::Bytes:
    case ShapeKind::List:
    case ShapeKind::Map:
      // Go writes a missing required list as null, which carries no information.
      return field.required ? Empty::Kept : Empty::Dropped;
    default:
      return Empty::Kept;
  }
}

FormRules RulesOf(const TypeDesc& type) {
  FormRules rules;
  rules.fields.assign(type.fields.size(), Empty::Kept);
  for (const TagDesc& tag : type.tags) {
    if (tag.field == TagDesc::kInlined || tag.is_pointer) continue;
    rules.fields[tag.field] = RuleOf(type.fields[tag.field]);
  }
  for (std::size_t i = 0; i < rules.fields.size(); ++i) {
    if (rules.fields[i] == Empty::Printed) {
      rules.printed.push_back(static_cast<codec::FieldId>(i));
    }
  }
  return rules;
}

/// REQUIRES: the type has tags; the rules of other types are empty.
const FormRules& FindRules(const TypeDesc& type) {
  static const std::vector<FormRules> all = [] {
    std::vector<FormRules> made;
    for (const TypeDesc& one : AllTypes()) made.push_back(RulesOf(one));
    return made;
  }();
  return all[static_cast<std::size_t>(type.id)];
}

bool IsEmpty(const Value& value) {
  if (value.is_object()) return value.members().empty();
  if (value.is_array()) return value.items().empty();
  if (value.is_string()) return value.text().empty();
  if (value.is_bool()) return !value.AsBool();
  return value.is_int() && value.AsInt() == 0;
}

Value ZeroOf(Document& document, const Shape& shape) {
  switch (shape.kind) {
    case ShapeKind::Struct:
      return document.NewObject();
    case ShapeKind::String:
      return Value::String("");
    case ShapeKind::Bool:
      return Value::Bool(false);
    default:
      return Value::Int(0);
  }
}

class StoredForm {
 public:
  explicit StoredForm(Document& document) : document_(document) {}

  void Struct(Value& object, const TypeDesc& type) {
    if (!object.is_object()) return;
    if (!type.tags.empty()) ApplyRules(object, type);
    for (codec::Member& member : object.members()) {
      if (member.field != codec::kUnknownField) {
        Walk(member.value, *type.fields[member.field].shape);
      }
    }
  }

 private:
  void ApplyRules(Value& object, const TypeDesc& type) {
    const FormRules& rules = FindRules(type);
    DropEmpty(object, rules);
    for (const codec::FieldId field : rules.printed) {
      if (HasField(object, field)) continue;
      const FieldDesc& described = type.fields[field];
      document_.AppendMember(object, {described.name, ZeroOf(document_, *described.shape), field});
    }
  }

  static bool HasField(const Value& object, codec::FieldId field) {
    for (const codec::Member& member : object.members()) {
      if (member.field == field) return true;
    }
    return false;
  }

  static void DropEmpty(Value& object, const FormRules& rules) {
    std::size_t kept = 0;
    for (const codec::Member& member : object.members()) {
      const bool is_dropped = member.field != codec::kUnknownField &&
                              rules.fields[member.field] == Empty::Dropped && IsEmpty(member.value);
      if (is_dropped) continue;
      object.members()[kept++] = member;
    }
    Document::Truncate(object, kept);
  }

  void Walk(Value& value, const Shape& shape) {
    switch (shape.kind) {
      case ShapeKind::Struct:
        return Struct(value, *shape.type);
      case ShapeKind::Quantity:
        return Canonical(value);
      case ShapeKind::List:
      case ShapeKind::Map:
        for (Value& item : value.items()) Walk(item, *shape.element);
        for (codec::Member& member : value.members()) Walk(member.value, *shape.element);
        return;
      default:
        return;
    }
  }

  void Canonical(Value& value) {
    if (!value.is_string()) return;
    const auto quantity = Quantity::FromScalar(value.text());
    // Upstream limits the range of quantities; validation rejects texts outside it.
    if (!quantity || quantity->is_wide()) return;
    const std::string text = quantity->Text();
    if (text == value.text()) return;
    const std::uint32_t line = value.line();
    value = document_.NewString(text);
    value.set_line(line);
  }

  Document& document_;
};

}  // namespace

void PutInStoredForm(codec::Document& document, codec::Value& tree, const TypeDesc& type) {
  StoredForm(document).Struct(tree, type);
}

}  // namespace plimsoll::api
