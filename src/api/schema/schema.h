#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>

#include "codec/value.h"

/// The kinds as data. tools/gen_schema.py compiles the descriptions in kinds/ into the tables that
/// this header gives access to; decoding, defaults, patches, discovery, tables and OpenAPI are all
/// driven by them.
namespace plimsoll::api {

/// The number of a type in the tables. `fields::core_v1::PodSpec::kTypeId` names one.
enum class TypeId : std::uint16_t {};

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
  Any,  // not looked into
  Struct,
  List,
  Map,  // from texts
};

struct TypeDesc;

/// What a value must look like.
struct Shape {
  ShapeKind kind = ShapeKind::Any;
  bool is_resource_list = false;   // a Map of Quantity that is rounded up to thousandths
  const Shape* element = nullptr;  // of a List or a Map
  const TypeDesc* type = nullptr;  // of a Struct
  std::string_view go_name;        // as upstream's messages call it: `[]v1.Toleration`
};

/// How server-side apply and OpenAPI see a list, or a map or struct.
enum class ListType : std::uint8_t { Unset, Atomic, Set, Map };
enum class MapType : std::uint8_t { Unset, Atomic, Granular };

/// A field's number is its place in the type's `fields`.
struct FieldDesc {
  std::string_view name;
  const Shape* shape = nullptr;
  bool required = false;
  bool fills_zero = false;  // `set_json` also replaces an empty text or a 0
  ListType list_type = ListType::Unset;
  MapType map_type = MapType::Unset;
  std::string_view default_json;  // as OpenAPI shows it; empty: none
  std::string_view set_json;      // what a server writes where the field is missing; empty: nothing
  std::string_view merge_key;
  std::span<const std::string_view> patch_strategies;
  std::span<const std::string_view> list_map_keys;
  std::span<const std::string_view> enum_values;
  std::string_view doc;
};

/// Which field a number means in the type's protobuf message.
struct TagDesc {
  /// Instead of a field: a message whose fields are the type's own in JSON. They follow as
  /// `tag << 8 | tag within it`.
  static constexpr std::uint8_t kInlined = 0xFF;

  std::uint16_t tag = 0;
  std::uint8_t field = 0;
  bool is_pointer = false;  // in Go: there may be a zero, which JSON then shows
};

struct TypeDesc {
  TypeId id{};
  std::string_view name;     // io.k8s.api.core.v1.PodSpec
  std::string_view go_name;  // v1.PodSpec
  std::span<const FieldDesc> fields;
  // A perfect hash: KeyBits(name) * multiplier >> shift is a slot, which holds the only field
  // that the name can be.
  std::span<const std::uint8_t> slots;
  std::uint64_t multiplier = 0;
  std::uint8_t shift = 0;
  std::span<const TagDesc> tags;              // by tag; schema/protobuf_tags.txt
  std::span<const codec::FieldId> defaulted;  // the fields with `set_json`
  bool reaches_defaults = false;              // a server sets something in this type or below
  bool has_default_hook = false;              // … some of it by code, see api/defaults
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
  std::string_view value;     // where the cell comes from; empty: code of that name
};

/// A kind in one version. Kinds without `plural` have no resource of their own: lists, options, and
/// what is written to a sub-resource, as Scale is.
struct KindDesc {
  std::string_view group;
  std::string_view version;
  std::string_view kind;
  const TypeDesc* type = nullptr;
  std::string_view list_kind;  // PodList, of Pod
  std::string_view item_kind;  // Pod, of PodList; `any` of List
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

const TypeDesc& Describe(TypeId type);

/// Null when nobody described it. The group of core is empty.
const KindDesc* FindKind(std::string_view group, std::string_view version, std::string_view kind);
/// By the full name, `io.k8s.api.core.v1.PodSpec`.
const TypeDesc* FindType(std::string_view name);

/// The bits of a key that the perfect hashes are made from: its ends and its length.
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

/// The field's number, or kUnknownField. Case counts, as it does to upstream's decoder.
inline codec::FieldId FindField(const TypeDesc& type, std::string_view name) {
  if (type.slots.empty()) return codec::kUnknownField;
  const std::uint8_t field = type.slots[(KeyBits(name) * type.multiplier) >> type.shift];
  if (field >= type.fields.size() || type.fields[field].name != name) return codec::kUnknownField;
  return field;
}

/// Null for a tag that the type does not have.
inline const TagDesc* FindTag(const TypeDesc& type, std::uint16_t tag) {
  const auto found = std::ranges::lower_bound(type.tags, tag, {}, &TagDesc::tag);
  return found != type.tags.end() && found->tag == tag ? &*found : nullptr;
}

}  // namespace plimsoll::api
