#include "cel/value.h"

#include <algorithm>

#include "base/text/utf8.h"
#include "cel/environment.h"

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

namespace {

bool HasHighBit(const char* eight) {
  std::uint64_t chunk = 0;
  std::memcpy(&chunk, eight, sizeof(chunk));
  return (chunk & 0x8080808080808080u) != 0;
}

/// Checks eight bytes at a time; the last eight overlap the previous ones.
bool IsAscii(std::string_view text) {
  const char* at = text.data();
  const char* const end = at + text.size();
  if (text.size() < 8) {
    return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  }
  for (; end - at > 8; at += 8) {
    if (HasHighBit(at)) return false;
  }
  return !HasHighBit(end - 8);
}

}  // namespace

std::size_t CountCodePoints(std::string_view text) {
  if (IsAscii(text)) [[likely]]
    return text.size();
  if (IsUtf8(text)) return CountRunes(text);
  std::size_t count = 0;
  for (std::size_t at = 0; at < text.size(); ++count) {
    const bool is_ascii = static_cast<unsigned char>(text[at]) < 0x80;
    at += is_ascii ? 1 : DecodeRune(text.substr(at)).bytes;
  }
  return count;
}

}  // namespace plimsoll::cel
