#include "cel/value.h"

#include "cel/environment.h"
#include "cel/library/utf8.h"

namespace plimsoll::cel {

const Type* Value::RuntimeType() const {
  switch (kind_) {
    case ValueKind::Null:
      return types::kNull;
    case ValueKind::Bool:
      return types::kBool;
    case ValueKind::Int:
      return types::kInt;
    case ValueKind::Uint:
      return types::kUint;
    case ValueKind::Double:
      return types::kDouble;
    case ValueKind::String:
      return types::kString;
    case ValueKind::Bytes:
      return types::kBytes;
    case ValueKind::Duration:
      return types::kDuration;
    case ValueKind::Timestamp:
      return types::kTimestamp;
    case ValueKind::List:
      return types::kList;
    case ValueKind::Map:
    case ValueKind::Object:
      return types::kMap;
    case ValueKind::Opaque:
      return opaque().type();
    case ValueKind::Optional:
      return types::kOptional;
    case ValueKind::Type:
      return types::kType;
    case ValueKind::Error:
      return types::kError;
  }
  return types::kError;
}

const Value* ObjectValue::Find(std::string_view name) const {
  const auto& fields = type_->fields;
  for (std::size_t place = 0; place < fields.size(); ++place) {
    if (fields[place].name == name) return &fields_[place];
  }
  return nullptr;
}

std::size_t CountCodePoints(std::string_view text) {
  std::size_t at = 0;
  // Nearly all texts are ASCII: eight bytes at a time while no byte has its high bit set.
  for (; at + 8 <= text.size(); at += 8) {
    std::uint64_t chunk = 0;
    std::memcpy(&chunk, text.data() + at, 8);
    if ((chunk & 0x8080808080808080u) != 0) break;
  }
  std::size_t count = at;
  while (at < text.size()) {
    const bool is_ascii = static_cast<unsigned char>(text[at]) < 0x80;
    at += is_ascii ? 1 : DecodeRune(text.substr(at)).bytes;
    ++count;
  }
  return count;
}

}  // namespace plimsoll::cel
