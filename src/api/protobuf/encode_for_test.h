#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include "api/schema/schema.h"
#include "base/text/base64.h"
#include "codec/json.h"

/// Test helper: encodes objects as a Go client does. REQUIRES: the trees conform to their types.
namespace plimsoll::api {

inline std::string EncodeVarint(std::uint64_t value) {
  std::string out;
  for (; value >= 0x80; value >>= 7) out += static_cast<char>(0x80 | (value & 0x7F));
  return out + static_cast<char>(value);
}

inline std::string EncodeNumber(std::uint32_t tag, std::int64_t value) {
  return EncodeVarint(tag << 3) + EncodeVarint(static_cast<std::uint64_t>(value));
}

inline std::string EncodeBytes(std::uint32_t tag, std::string_view bytes) {
  return EncodeVarint(tag << 3 | 2) + EncodeVarint(bytes.size()) + std::string(bytes);
}

inline std::string EncodeMessage(const TypeDesc& type, const codec::Value& tree);

/// Encodes a time as servers write it. Avoids Instant, whose range of years is smaller.
inline std::string EncodeTime(const codec::Value& value) {
  if (value.is_null()) return {};  // Go's zero time
  const auto digits = [text = value.text()](std::size_t at, std::size_t count) {
    int number = 0;
    for (const char digit : text.substr(at, count)) number = number * 10 + (digit - '0');
    return number;
  };
  const std::chrono::sys_days day = std::chrono::year(digits(0, 4)) /
                                    std::chrono::month(static_cast<unsigned>(digits(5, 2))) /
                                    std::chrono::day(static_cast<unsigned>(digits(8, 2)));
  const std::int64_t seconds = std::chrono::sys_seconds(day).time_since_epoch().count() +
                               digits(11, 2) * 3600 + digits(14, 2) * 60 + digits(17, 2);
  const bool is_micro = value.text().contains('.');
  return EncodeNumber(1, seconds) + EncodeNumber(2, is_micro ? digits(20, 6) * 1000 : 0);
}

inline std::string EncodeSingle(std::uint32_t tag, const Shape& shape, const codec::Value& value) {
  switch (shape.kind) {
    case ShapeKind::String:
      return EncodeBytes(tag, value.text());
    case ShapeKind::Bytes:
      return EncodeBytes(tag, *DecodeBase64(value.text()));
    case ShapeKind::Int32:
    case ShapeKind::Int64:
      return EncodeNumber(tag, value.AsInt());
    case ShapeKind::Bool:
      return EncodeNumber(tag, value.AsBool() ? 1 : 0);
    case ShapeKind::Quantity:
      return EncodeBytes(tag, EncodeBytes(1, value.text()));
    case ShapeKind::Time:
    case ShapeKind::MicroTime:
      return EncodeBytes(tag, EncodeTime(value));
    case ShapeKind::IntOrString:
      return EncodeBytes(tag, EncodeNumber(1, value.is_int() ? 0 : 1) +
                                  EncodeNumber(2, value.is_int() ? value.AsInt() : 0) +
                                  EncodeBytes(3, value.is_int() ? "" : value.text()));
    case ShapeKind::Any:
      return EncodeBytes(tag, EncodeBytes(1, codec::WriteJson(value)));
    case ShapeKind::Struct:
      return EncodeBytes(tag, EncodeMessage(*shape.type, value));
    case ShapeKind::List: {  // the value of a map entry
      std::string items;
      for (const auto& item : value.items()) items += EncodeSingle(1, *shape.element, item);
      return EncodeBytes(tag, items);
    }
    case ShapeKind::Map:
      break;
  }
  return {};
}

inline std::string EncodeField(std::uint32_t tag, const Shape& shape, const codec::Value& value) {
  std::string out;
  if (shape.kind == ShapeKind::List) {
    for (const auto& item : value.items()) out += EncodeSingle(tag, *shape.element, item);
  } else if (shape.kind == ShapeKind::Map) {
    for (const auto& member : value.members()) {
      out += EncodeBytes(
          tag, EncodeBytes(1, member.key) + EncodeSingle(2, *shape.element, member.value));
    }
  } else {
    out = EncodeSingle(tag, shape, value);
  }
  return out;
}

/// Encodes the tagged fields of one message of the type: its own, or an inlined one.
inline std::string EncodeTags(const TypeDesc& type, const codec::Value& tree, unsigned outer) {
  std::string out;
  for (const TagDesc& tag : type.tags) {
    if (tag.tag >> 8 != static_cast<int>(outer)) continue;
    if (tag.field == TagDesc::kInlined) {
      out += EncodeBytes(tag.tag, EncodeTags(type, tree, tag.tag));
      continue;
    }
    const FieldDesc& field = type.fields[tag.field];
    const codec::Value* value = tree.Find(field.name);
    if (value != nullptr) out += EncodeField(tag.tag & 0xFF, *field.shape, *value);
  }
  return out;
}

inline std::string EncodeMessage(const TypeDesc& type, const codec::Value& tree) {
  return EncodeTags(type, tree, 0);
}

inline std::string EncodeEnvelope(std::string_view api_version, std::string_view kind,
                                  std::string_view message) {
  return std::string("k8s\0", 4) +
         EncodeBytes(1, EncodeBytes(1, api_version) + EncodeBytes(2, kind)) +
         EncodeBytes(2, message) + EncodeBytes(3, "") + EncodeBytes(4, "");
}

}  // namespace plimsoll::api
