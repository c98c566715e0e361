#include "codec/document.h"

#include <algorithm>
#include <utility>

namespace plimsoll::codec {

std::string_view Document::CopyText(std::string_view text) {
  if (text.empty()) return {};
  char* const place = arena_.Allocate<char>(text.size());
  std::ranges::copy(text, place);
  return {place, text.size()};
}

std::string_view Document::Adopt(std::string text) {
  // A short text would be stored inside the string object, which moves when the vector grows.
  text.reserve(std::string().capacity() + 1);
  return adopted_.emplace_back(std::move(text));
}

Value Document::NewArray(std::size_t capacity) {
  PL_ASSERT(capacity <= UINT32_MAX);
  Value array;
  array.kind_ = Value::Kind::Array;
  array.capacity_ = static_cast<std::uint32_t>(capacity);
  array.items_ = capacity == 0 ? nullptr : arena_.Allocate<Value>(capacity);
  return array;
}

Value Document::NewObject(std::size_t capacity) {
  PL_ASSERT(capacity <= UINT32_MAX);
  Value object;
  object.kind_ = Value::Kind::Object;
  object.capacity_ = static_cast<std::uint32_t>(capacity);
  object.members_ = capacity == 0 ? nullptr : arena_.Allocate<Member>(capacity);
  return object;
}

Value Document::Clone(const Value& value) {
  Value copy = value;
  switch (value.kind()) {
    case Value::Kind::Number:
    case Value::Kind::String:
      copy.text_ = CopyText(value.text()).data();
      break;
    case Value::Kind::Array:
      copy = NewArray(value.items().size());
      copy.set_line(value.line());
      for (const Value& item : value.items()) Append(copy, Clone(item));
      break;
    case Value::Kind::Object:
      copy = NewObject(value.members().size());
      copy.set_line(value.line());
      for (const Member& member : value.members()) {
        AppendMember(copy, {CopyText(member.key), Clone(member.value), member.field});
      }
      break;
    case Value::Kind::Null:
    case Value::Kind::Bool:
    case Value::Kind::Int:
      break;
  }
  return copy;
}

Value& Document::Set(Value& object, std::string_view key, Value value, FieldId field) {
  PL_ASSERT(object.is_object());
  for (Member& member : object.members()) {
    if (member.key != key) continue;
    member.value = value;
    member.field = field;
    return member.value;
  }
  AppendMember(object, {key, value, field});
  return object.members().back().value;
}

bool Document::Remove(Value& object, std::string_view key) {
  const auto members = object.members();
  const auto found = std::ranges::find(members, key, &Member::key);
  if (found == members.end()) return false;
  std::ranges::copy(found + 1, members.end(), found);
  --object.size_;
  return true;
}

std::size_t Document::bytes() const {
  std::size_t bytes = arena_.bytes();
  for (const std::string& text : adopted_) bytes += text.capacity();
  return bytes;
}

}  // namespace plimsoll::codec
