#include "apiserver/strategy/object_editor.h"

namespace plimsoll::apiserver {

using codec::Value;

std::string_view ObjectEditor::Text(std::string_view field) const {
  return TextAt(*object_, field);
}

std::int64_t ObjectEditor::Int(std::string_view field, std::int64_t otherwise) const {
  const Value* found = Find(field);
  return found != nullptr && found->is_int() ? found->AsInt() : otherwise;
}

bool ObjectEditor::Bool(std::string_view field) const {
  const Value* found = Find(field);
  return found != nullptr && found->is_bool() && found->AsBool();
}

const api::FieldDesc* ObjectEditor::Describe(std::string_view field) const {
  if (type_ == nullptr) return nullptr;
  const codec::FieldId id = api::FindField(*type_, field);
  return id == codec::kUnknownField ? nullptr : &type_->fields[id];
}

ObjectEditor ObjectEditor::Child(std::string_view field) const {
  Value* found = Find(field);
  if (found == nullptr) found = &Set(field, document_->NewObject());
  const api::FieldDesc* described = Describe(field);
  return {*document_, *found, described == nullptr ? nullptr : described->shape->type};
}

const api::TypeDesc* ObjectEditor::ItemType(std::string_view field) const {
  const api::FieldDesc* described = Describe(field);
  if (described == nullptr || described->shape->element == nullptr) return nullptr;
  return described->shape->element->type;
}

Value& ObjectEditor::Set(std::string_view field, Value value) const {
  if (Value* found = Find(field)) {
    *found = value;
    return *found;
  }
  const api::FieldDesc* described = Describe(field);
  if (described == nullptr) {
    document_->AppendMember(*object_, {document_->CopyText(field), value});
  } else {
    const auto id = static_cast<codec::FieldId>(described - type_->fields.data());
    document_->AppendMember(*object_, {described->name, value, id});
  }
  return object_->members().back().value;
}

void ObjectEditor::CopyFrom(const Value* other, std::string_view field) const {
  const Value* theirs = other == nullptr ? nullptr : other->Find(field);
  if (theirs == nullptr) {
    Remove(field);
  } else {
    Set(field, document_->Clone(*theirs));
  }
}

namespace {

bool IsNothing(const Value* value) {
  return value == nullptr || value->is_null() ||
         ((value->is_object() || value->is_array()) && value->items().empty() &&
          value->members().empty());
}

}  // namespace

bool SameAt(const Value& a, const Value& b, std::string_view field) {
  const Value* left = a.Find(field);
  const Value* right = b.Find(field);
  if (IsNothing(left) || IsNothing(right)) return IsNothing(left) == IsNothing(right);
  return *left == *right;
}

}  // namespace plimsoll::apiserver
