#include "api/protobuf/decode_protobuf.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "api/protobuf/protobuf_time.h"
#include "api/protobuf/wire.h"
#include "base/text/base64.h"
#include "base/text/utf8.h"
#include "codec/json.h"
#include "codec/tree_builder.h"
#include "codec/tree_depth.h"

namespace plimsoll::api {
namespace {

using codec::Value;

constexpr std::string_view kPrefix("k8s\0", 4);
constexpr std::uint32_t kTagMax = 0xFF;

std::unexpected<Error> Malformed(std::string what) {
  return Fail(Reason::BadRequest, std::move(what));
}

std::unexpected<Error> WrongWireType(const WireField& field, std::string_view name) {
  return Malformed(
      fmt::format("proto: wrong wireType = {} for field {}", std::to_underlying(field.type), name));
}

/// A field of a message with its description.
struct Part {
  const TagDesc* tag = nullptr;
  WireField field;
};

/// Returns true if values of that shape are encoded as varints.
bool IsVarint(ShapeKind kind) {
  return kind == ShapeKind::Int32 || kind == ShapeKind::Int64 || kind == ShapeKind::Bool;
}

/// Returns true if Go's omitempty omits the value. It never omits structs, including quantities.
bool IsEmpty(ShapeKind kind, const Value& value) {
  switch (kind) {
    case ShapeKind::String:
    case ShapeKind::Bytes:
      return value.text().empty();
    case ShapeKind::Int32:
    case ShapeKind::Int64:
      return value.AsInt() == 0;
    case ShapeKind::Bool:
      return !value.AsBool();
    case ShapeKind::List:
      return value.items().empty();
    default:
      return false;
  }
}

Status CheckUtf8(std::string_view text, std::string_view name) {
  while (!text.empty()) {
    const std::size_t bytes = Utf8Bytes(text);
    if (bytes == 0) return Malformed(fmt::format("proto: field {} contains invalid UTF-8", name));
    text.remove_prefix(bytes);
  }
  return {};
}

/// Returns the bytes of a message with a single bytes field.
Result<std::string_view> OnlyBytes(std::string_view message, std::string_view name) {
  std::string_view bytes;
  for (WireReader reader(message); !reader.at_end();) {
    const WireField field = PL_TRY(reader.Next());
    if (field.tag != 1) continue;
    if (field.type != WireType::Bytes) return WrongWireType(field, name);
    bytes = field.bytes;
  }
  return bytes;
}

/// Builds one tree. `name` is the field that error messages name.
class Decoder {
 public:
  Decoder(codec::Document& document, const codec::ParseLimits& limits)
      : document_(document), limits_(limits), maps_(document) {}

  /// True if the message contained JSON.
  bool has_raw_json() const { return has_raw_json_; }

  /// Decodes a message. Protobuf merges the occurrences of a message field that is repeated.
  Result<Value> Message(const TypeDesc& type, std::span<const Part> messages, std::uint32_t depth) {
    if (depth > limits_.depth_max) return Malformed("proto: exceeded max depth");
    std::vector<Part> parts;
    for (const Part& message : messages) PL_TRY(Gather(type, message.field.bytes, 0, parts));
    std::ranges::stable_sort(parts, {}, [](const Part& part) { return part.tag->tag; });

    Value object = document_.NewObject();
    for (auto first = parts.begin(); first != parts.end();) {
      const TagDesc& tag = *first->tag;
      const auto last =
          std::find_if(first, parts.end(), [&](const Part& p) { return p.tag != &tag; });
      const FieldDesc& field = type.fields[tag.field];
      const Value value = PL_TRY(Field(field, {first, last}, depth));
      if (IsShown(field, tag, value)) {
        document_.AppendMember(object, {field.name, value, tag.field});
      }
      first = last;
    }
    return object;
  }

 private:
  /// Collects the fields of a message and of the messages that JSON inlines into it.
  Status Gather(const TypeDesc& type, std::string_view message, std::uint32_t outer,
                std::vector<Part>& parts) {
    for (WireReader reader(message); !reader.at_end();) {
      const WireField field = PL_TRY(reader.Next());
      if (field.tag > kTagMax) continue;
      const TagDesc* tag = FindTag(type, static_cast<std::uint16_t>(outer << 8 | field.tag));
      if (tag == nullptr) continue;
      if (tag->field != TagDesc::kInlined) {
        PL_TRY(Count());
        parts.push_back({tag, field});
      } else if (field.type == WireType::Bytes) {
        PL_TRY(Gather(type, field.bytes, tag->tag, parts));
      } else {
        return WrongWireType(field, type.go_name);
      }
    }
    return {};
  }

  /// Returns true if Go writes the value: it is not empty, or the field is a pointer or has no
  /// omitempty. In the last case OpenAPI shows the empty value as the default.
  bool IsShown(const FieldDesc& field, const TagDesc& tag, const Value& value) {
    if (value.is_null()) return false;
    if (tag.is_pointer || !IsEmpty(field.shape->kind, value)) return true;
    return !field.default_json.empty() && codec::WriteJson(value) == field.default_json;
  }

  Result<Value> Field(const FieldDesc& field, std::span<const Part> parts, std::uint32_t depth) {
    const Shape& shape = *field.shape;
    switch (shape.kind) {
      case ShapeKind::List:
        return List(*shape.element, parts, field.name, depth);
      case ShapeKind::Map:
        return Map(*shape.element, parts, field.name, depth);
      case ShapeKind::Struct:
        for (const Part& part : parts) {
          if (part.field.type != WireType::Bytes) return WrongWireType(part.field, field.name);
        }
        return Message(*shape.type, parts, depth + 1);
      default:
        return Single(shape, parts.back().field, field.name, depth);
    }
  }

  /// Decodes an item, a map value, or a singular field.
  Result<Value> Single(const Shape& shape, const WireField& field, std::string_view name,
                       std::uint32_t depth) {
    const WireType wanted = IsVarint(shape.kind) ? WireType::Varint : WireType::Bytes;
    if (field.type != wanted) return WrongWireType(field, name);
    switch (shape.kind) {
      case ShapeKind::String:
        return Text(field.bytes, name);
      case ShapeKind::Bytes:
        return document_.NewString(EncodeBase64(field.bytes));
      case ShapeKind::Int32:
      case ShapeKind::Int64:
      case ShapeKind::Bool:
        return Number(shape.kind, field.varint);
      case ShapeKind::Quantity:
        return QuantityText(field.bytes, name);
      case ShapeKind::Time:
      case ShapeKind::MicroTime:
        return TimeText(field.bytes, shape.kind == ShapeKind::MicroTime);
      case ShapeKind::IntOrString:
        return IntOrString(field.bytes, name);
      case ShapeKind::Any:
        return RawJson(field.bytes, name);
      case ShapeKind::Struct: {
        const Part part{nullptr, field};
        return Message(*shape.type, {&part, 1}, depth + 1);
      }
      case ShapeKind::List:
      case ShapeKind::Map:
        return WrappedList(shape, field.bytes, name, depth);
    }
    std::unreachable();
  }

  Result<Value> List(const Shape& element, std::span<const Part> parts, std::string_view name,
                     std::uint32_t depth) {
    Value list = document_.NewArray(parts.size());
    for (const Part& part : parts) {
      if (IsVarint(element.kind) && part.field.type == WireType::Bytes) {  // packed
        for (WireReader reader(part.field.bytes); !reader.at_end();) {
          PL_TRY(Count());
          const std::uint64_t varint = PL_TRY(reader.Varint());
          document_.Append(list, Number(element.kind, varint));
        }
      } else {
        const Value item = PL_TRY(Single(element, part.field, name, depth));
        document_.Append(list, item);
      }
    }
    return list;
  }

  /// Decodes a list that is a map value: protobuf wraps it in a message, with the items as field 1.
  Result<Value> WrappedList(const Shape& shape, std::string_view message, std::string_view name,
                            std::uint32_t depth) {
    std::vector<Part> items;
    for (WireReader reader(message); !reader.at_end();) {
      const WireField field = PL_TRY(reader.Next());
      if (field.tag != 1) continue;
      PL_TRY(Count());
      items.push_back({nullptr, field});
    }
    return List(*shape.element, items, name, depth);
  }

  /// If entries have equal keys, the last is used.
  Result<Value> Map(const Shape& element, std::span<const Part> entries, std::string_view name,
                    std::uint32_t depth) {
    maps_.Open(Value::Kind::Object, 0);
    for (const Part& entry : entries) {
      if (entry.field.type != WireType::Bytes) return WrongWireType(entry.field, name);
      Value key = Value::String({});
      WireField value{.type = IsVarint(element.kind) ? WireType::Varint : WireType::Bytes};
      for (WireReader reader(entry.field.bytes); !reader.at_end();) {
        const WireField field = PL_TRY(reader.Next());
        if (field.tag == 1) {
          if (field.type != WireType::Bytes) return WrongWireType(field, name);
          key = PL_TRY(Text(field.bytes, name));
        } else if (field.tag == 2) {
          value = field;
        }
      }
      const Value decoded = PL_TRY(Single(element, value, name, depth));
      maps_.Key(key.text(), 0);
      maps_.Fill(decoded);
    }
    return maps_.Close();
  }

  Result<Value> Text(std::string_view bytes, std::string_view name) {
    PL_TRY(CheckUtf8(bytes, name));
    return document_.NewString(bytes);
  }

  static Value Number(ShapeKind kind, std::uint64_t varint) {
    if (kind == ShapeKind::Bool) return Value::Bool(varint != 0);
    if (kind == ShapeKind::Int32) return Value::Int(static_cast<std::int32_t>(varint));
    return Value::Int(static_cast<std::int64_t>(varint));
  }

  Result<Value> QuantityText(std::string_view message, std::string_view name) {
    if (message.empty()) return Value::String("0");
    const std::string_view text = PL_TRY(OnlyBytes(message, name));
    return Text(text, name);
  }

  /// Returns null for Go's zero time.
  Result<Value> TimeText(std::string_view message, bool is_micro) {
    const std::string text = PL_TRY(ReadProtobufTime(message, is_micro));
    return text.empty() ? Value::Null() : document_.NewString(text);
  }

  /// Message layout: Type{1: 0 or 1}, Int{2}, String{3}.
  Result<Value> IntOrString(std::string_view message, std::string_view name) {
    WireField type{.type = WireType::Varint};
    WireField number{.type = WireType::Varint};
    WireField text{.type = WireType::Bytes};
    for (WireReader reader(message); !reader.at_end();) {
      const WireField field = PL_TRY(reader.Next());
      if (field.tag > 3) continue;
      WireField& place = field.tag == 1 ? type : field.tag == 2 ? number : text;
      if (field.type != place.type) return WrongWireType(field, name);
      place = field;
    }
    if (type.varint == 0) return Number(ShapeKind::Int32, number.varint);
    if (type.varint == 1) return Text(text.bytes, name);
    return Malformed("impossible IntOrString.Type");
  }

  /// Decodes JSON embedded in a message, as in managed fields and device parameters.
  Result<Value> RawJson(std::string_view message, std::string_view name) {
    const std::string_view json = PL_TRY(OnlyBytes(message, name));
    if (json.empty()) return Value::Null();
    const auto parsed = codec::ParseJson(std::string(json), limits_);
    if (!parsed) return Malformed(fmt::format("{}: {}", name, parsed.error().message));
    has_raw_json_ = true;
    return document_.Clone((*parsed)->root());
  }

  Status Count() {
    if (++values_ > limits_.values_max) return Malformed("proto: too many values");
    return {};
  }

  codec::Document& document_;
  const codec::ParseLimits& limits_;
  codec::TreeBuilder maps_;
  std::size_t values_ = 0;
  bool has_raw_json_ = false;
};

Result<std::string_view> BytesOf(const WireField& field, std::string_view name) {
  if (field.type != WireType::Bytes) return WrongWireType(field, name);
  return field.bytes;
}

Status ReadTypeMeta(std::string_view message, ProtobufEnvelope& envelope) {
  for (WireReader reader(message); !reader.at_end();) {
    const WireField field = PL_TRY(reader.Next());
    if (field.tag == 1) envelope.api_version = PL_TRY(BytesOf(field, "ApiVersion"));
    if (field.tag == 2) envelope.kind = PL_TRY(BytesOf(field, "Kind"));
  }
  PL_TRY(CheckUtf8(envelope.api_version, "ApiVersion"));
  return CheckUtf8(envelope.kind, "Kind");
}

}  // namespace

Result<ProtobufEnvelope> ReadProtobufEnvelope(std::string_view body) {
  if (body.empty()) return Malformed("empty data");
  if (!body.starts_with(kPrefix)) {
    return Malformed(
        "provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]");
  }
  if (body.size() == kPrefix.size()) return Malformed("empty body");
  ProtobufEnvelope envelope;
  for (WireReader reader(body.substr(kPrefix.size())); !reader.at_end();) {
    const WireField field = PL_TRY(reader.Next());
    if (field.tag == 1) {
      const std::string_view type_meta = PL_TRY(BytesOf(field, "TypeMeta"));
      PL_TRY(ReadTypeMeta(type_meta, envelope));
    } else if (field.tag == 2) {
      envelope.message = PL_TRY(BytesOf(field, "Raw"));
    } else if (field.tag == 3) {
      const std::string_view encoding = PL_TRY(BytesOf(field, "ContentEncoding"));
      if (!encoding.empty()) return Malformed("protobuf with a content encoding is not understood");
    }
  }
  return envelope;
}

Result<std::unique_ptr<codec::Document>> DecodeProtobuf(const ProtobufEnvelope& envelope,
                                                        const TypeDesc& type,
                                                        const codec::ParseLimits& limits) {
  if (envelope.message.size() > limits.bytes_max) {
    return Fail(Reason::RequestEntityTooLarge, fmt::format("limit is {}", limits.bytes_max));
  }
  auto document = std::make_unique<codec::Document>(envelope.message.size());
  Decoder decoder(*document, limits);
  const Part whole{nullptr, {.bytes = envelope.message}};
  const Value decoded = PL_TRY(decoder.Message(type, {&whole, 1}, 1));
  Value& root = document->root() = document->NewObject(decoded.members().size() + 2);
  if (!envelope.kind.empty()) {
    document->AppendMember(root, {"kind", document->NewString(envelope.kind)});
  }
  if (!envelope.api_version.empty()) {
    document->AppendMember(root, {"apiVersion", document->NewString(envelope.api_version)});
  }
  for (const codec::Member& member : decoded.members()) document->AppendMember(root, member);
  // JSON within the message may be as deep as a whole body, and is nested in an object here.
  if (decoder.has_raw_json() && codec::IsDeeperThan(root, limits.depth_max)) {
    return Malformed("proto: exceeded max depth");
  }
  return document;
}

}  // namespace plimsoll::api
