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

/// Into what parts a value is owned, as its type says: as a whole, by its members, or by its
/// elements. Lists that say nothing of themselves are owned as a whole; maps and structs by their
/// members.
struct Ownership {
  enum class Kind : std::uint8_t {
    Whole,   // scalars, and whatever is atomic
    Fields,  // a struct
    Map,     // any member is like any other
    Keyed,   // a list of objects that `keys` tell apart
    Set,     // a list of scalars
  };
  Kind kind = Kind::Whole;
  const TypeDesc* type = nullptr;          // of Fields
  const Shape* element = nullptr;          // of Map and Keyed; null: as a whole
  std::span<const std::string_view> keys;  // of Keyed

  static Ownership Of(const TypeDesc& type) { return {Kind::Fields, &type, nullptr, {}}; }
  static Ownership Of(const Shape& shape, const FieldDesc* field);

  bool is_list() const { return kind == Kind::Keyed || kind == Kind::Set; }
  bool is_object() const { return kind == Kind::Fields || kind == Kind::Map; }

  /// Of the member with that key.
  Ownership Member(std::string_view key) const;
  /// Of an element of a list.
  Ownership Element() const;
  /// Whether the key names a field of a struct, which goes without saying, and not an entry of a
  /// map, which is somebody's own doing.
  bool IsField(std::string_view key) const {
    return kind == Kind::Fields && FindField(*type, key) != codec::kUnknownField;
  }

  /// The path to an element of a Keyed list or a Set. Keys that it leaves out have their defaults;
  /// those without one stay out. BadRequest, in upstream's words, for what no path leads to.
  Result<PathElement> ElementPath(codec::Document& arena, const codec::Value& element) const;
};

}  // namespace plimsoll::api
