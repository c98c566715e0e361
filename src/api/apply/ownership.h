#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "api/apply/path_element.h"
#include "api/schema/schema.h"
#include "base/result.h"
#include "codec/document.h"

namespace plimsoll::api {

/// Granularity of ownership of a value, from its type: as a whole, per
/// field, or per element. Lists without a listType are owned as a whole;
/// maps and structs per field.
struct Ownership {
  enum class Kind : std::uint8_t {
    Whole,   // scalars and atomic values
    Fields,  // a struct
    Map,     // all entries have the same type
    Keyed,   // a list of objects identified by `keys`
    Set,     // a list of scalars
  };
  Kind kind = Kind::Whole;
  const TypeDesc* type = nullptr;          // for Fields
  const Shape* element = nullptr;          // for Map and Keyed; null: owned as a whole
  std::span<const std::string_view> keys;  // for Keyed

  static Ownership Of(const TypeDesc& type) { return {Kind::Fields, &type, nullptr, {}}; }
  static Ownership Of(const Shape& shape, const FieldDesc* field);

  bool is_list() const { return kind == Kind::Keyed || kind == Kind::Set; }
  bool is_object() const { return kind == Kind::Fields || kind == Kind::Map; }

  /// Returns the ownership of the member with that key.
  Ownership Member(std::string_view key) const;
  /// Returns the ownership of an element of a list.
  Ownership Element() const;
  /// Returns true if the key names a field of a struct. Struct fields come from the type; entries
  /// of a map exist only if a manager added them.
  bool IsField(std::string_view key) const {
    return kind == Kind::Fields && FindField(*type, key) != codec::kUnknownField;
  }

  /// Returns the path to an element of a Keyed list or a Set. Missing keys take their defaults;
  /// keys without a default are omitted. BadRequest, in upstream's words, if no path is possible.
  Result<PathElement> ElementPath(codec::Document& arena, const codec::Value& element) const;
};

}  // namespace plimsoll::api
