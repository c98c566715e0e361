#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "codec/value.h"

namespace plimsoll::codec {
class Document;
}  // namespace plimsoll::codec

/// Tables that describe the kinds. tools/gen_schema.py compiles them from
/// the descriptions in kinds/. Decoding, defaults, patches, discovery,
/// tables and OpenAPI all use them.
namespace plimsoll::api {

/// Index of a type in the tables, such as `fields::core_v1::PodSpec::kTypeId`.
enum class TypeId : std::uint16_t {};
/// Id of every type that a KindTable builds at run time.
inline constexpr TypeId kRuntimeType{0xFFFF};

enum class ShapeKind : std::uint8_t {
  String,
  Int32,
  Int64,
  Bool,
  Bytes,      // base64
  Quantity,   // `1500m`, or a number
  Time,       // RFC 3339
  MicroTime,  // RFC 3339 with microseconds
  IntOrString,
  Any,  // not checked
  Struct,
  List,
  Map,  // keys are texts
};

struct TypeDesc;

/// Type of a value.
struct Shape {
  ShapeKind kind = ShapeKind::Any;
  bool is_resource_list = false;   // a Map of Quantity that is rounded up to thousandths
  const Shape* element = nullptr;  // for a List or a Map
  const TypeDesc* type = nullptr;  // for a Struct
  std::string_view go_name;        // name in upstream's messages: `[]v1.Toleration`
};

/// List and map types of server-side apply and OpenAPI (`x-kubernetes-list-type`, …).
enum class ListType : std::uint8_t { Unset, Atomic, Set, Map };
enum class MapType : std::uint8_t { Unset, Atomic, Granular };

/// A field's number is its index in the type's `fields`.
struct FieldDesc {
  std::string_view name;
  const Shape* shape = nullptr;
  bool required = false;
  bool fills_zero = false;  // `set_json` also replaces an empty text or a 0
  ListType list_type = ListType::Unset;
  MapType map_type = MapType::Unset;
  std::string_view default_json;  // as OpenAPI shows it; empty: none
  std::string_view set_json;      // default that a server sets if the field is missing; empty: none
  std::string_view merge_key;
  std::span<const std::string_view> patch_strategies;
  std::span<const std::string_view> list_map_keys;
  std::span<const std::string_view> enum_values;
  std::string_view doc;
};

/// Maps a protobuf field number (tag) of the type's message to a field.
struct TagDesc {
  /// Marks a nested message whose fields belong to the type itself in JSON. Their tags follow as
  /// `tag << 8 | tag within it`.
  static constexpr std::uint8_t kInlined = 0xFF;

  std::uint16_t tag = 0;
  std::uint8_t field = 0;
  bool is_pointer = false;  // in Go; a zero is then kept in JSON
};

struct TypeDesc {
  TypeId id{};
  std::string_view name;     // io.k8s.api.core.v1.PodSpec
  std::string_view go_name;  // v1.PodSpec
  std::span<const FieldDesc> fields;
  // Perfect hash: slots[KeyBits(name) * multiplier >> shift] is the only
  // candidate field for the name. Empty: FindField compares all names.
  std::span<const std::uint8_t> slots;
  std::uint64_t multiplier = 0;
  std::uint8_t shift = 0;
  std::span<const TagDesc> tags;              // sorted by tag; from schema/protobuf_tags.txt
  std::span<const codec::FieldId> defaulted;  // the fields with `set_json`
  bool reaches_defaults = false;              // this type or one below it has defaults
  /// For a type described with `hook`: Default<Type> of defaults/hooks.h; otherwise null.
  void (*default_hook)(codec::Document& document, codec::Value& object) = nullptr;
  MapType map_type = MapType::Unset;
  std::string_view unions_json;  // x-kubernetes-unions; empty: none
  std::string_view doc;
};

struct SubresourceDesc {
  std::string_view name;  // status
  std::string_view group;
  std::string_view version;
  std::string_view kind;
  std::span<const std::string_view> verbs;
};

/// A column of `kubectl get`.
struct ColumnDesc {
  std::string_view name;
  std::string_view type;
  std::string_view format;
  std::int32_t priority = 0;  // 1: only in wide output
  std::string_view value;     // path of the cell's value; empty: code fills the column
};

/// A kind in one version. Kinds without `plural` have no resource of their own: lists, options, and
/// bodies of sub-resources such as Scale.
struct KindDesc {
  std::string_view group;
  std::string_view version;
  std::string_view kind;
  const TypeDesc* type = nullptr;
  std::string_view list_kind;  // PodList for Pod
  std::string_view item_kind;  // Pod for PodList; `any` for List
  std::string_view plural;
  std::string_view singular;
  bool is_namespaced = false;
  std::span<const std::string_view> short_names;
  std::span<const std::string_view> categories;
  std::span<const std::string_view> verbs;
  std::span<const SubresourceDesc> subresources;
  std::span<const ColumnDesc> columns;

  bool is_list() const { return !item_kind.empty(); }
};

std::span<const TypeDesc> AllTypes();
std::span<const KindDesc> AllKinds();

/// REQUIRES: the type is no kRuntimeType.
const TypeDesc& Describe(TypeId type);

/// Returns null if there is no such kind. The core group is empty.
const KindDesc* FindKind(std::string_view group, std::string_view version, std::string_view kind);
/// Finds a type by its full name, `io.k8s.api.core.v1.PodSpec`.
const TypeDesc* FindType(std::string_view name);
/// Finds a type by the name that descriptions of other packages use, `core_v1.PodSpec`.
const TypeDesc* FindTypeOfPackage(std::string_view name);

/// Hash input of a key: its first and last bytes and its length.
/// tools/gen_schema.py computes the same.
inline std::uint64_t KeyBits(std::string_view key) {
  static_assert(std::endian::native == std::endian::little, "gen_schema.py assumes it");
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  const std::size_t size = key.size();
  if (size >= 8) {
    std::memcpy(&first, key.data(), 8);
    std::memcpy(&last, key.data() + size - 8, 8);
  } else if (size >= 4) {
    std::memcpy(&first, key.data(), 4);
    std::memcpy(&last, key.data() + size - 4, 4);
  } else if (size > 0) {
    const auto byte = [&](std::size_t at) {
      return static_cast<std::uint64_t>(static_cast<unsigned char>(key[at]));
    };
    first = byte(0) | byte(size / 2) << 8 | byte(size - 1) << 16;
  }
  return first ^ std::rotl(last, 29) ^ size;
}

/// Searches all fields for the name. FindField calls it for a type without `slots`.
codec::FieldId FindFieldByName(const TypeDesc& type, std::string_view name);

/// Returns the field's number, or kUnknownField. Case-sensitive, as upstream's decoder.
inline codec::FieldId FindField(const TypeDesc& type, std::string_view name) {
  if (type.slots.empty()) return FindFieldByName(type, name);
  const std::uint8_t field = type.slots[(KeyBits(name) * type.multiplier) >> type.shift];
  if (field >= type.fields.size() || type.fields[field].name != name) return codec::kUnknownField;
  return field;
}

/// Returns null if the type has no such tag.
inline const TagDesc* FindTag(const TypeDesc& type, std::uint16_t tag) {
  const auto found = std::ranges::lower_bound(type.tags, tag, {}, &TagDesc::tag);
  return found != type.tags.end() && found->tag == tag ? &*found : nullptr;
}

}  // namespace plimsoll::api
