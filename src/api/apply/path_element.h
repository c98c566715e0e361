#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "codec/document.h"

namespace plimsoll::api {

/// One step of a field path, as managedFields encode it. `f:name` is a member, `k:{"name":"a"}` the
/// list element with these keys, `v:"x"` an element of a set, `i:3` an index.
///
/// A view: its texts belong to the tree or document that it was made from.
class PathElement {
 public:
  enum class Kind : std::uint8_t { Field, Key, Value, Index };  // in sort order

  static PathElement Field(std::string_view name) {
    return {Kind::Field, codec::Value::String(name)};
  }
  /// REQUIRES: all members are scalars, sorted by key.
  static PathElement Key(const codec::Value& object) { return {Kind::Key, object}; }
  static PathElement Value(const codec::Value& scalar) { return {Kind::Value, scalar}; }
  static PathElement Index(std::int64_t index) { return {Kind::Index, codec::Value::Int(index)}; }

  /// Parses the encoded form. NotFound for an unknown prefix, which callers must skip; BadRequest
  /// for malformed text. Keys and values are parsed into `arena`.
  static Result<PathElement> Parse(codec::Document& arena, std::string_view text);
  /// Returns the encoded form. Its memory belongs to `out`.
  std::string_view Encode(codec::Document& out) const;

  Kind kind() const { return kind_; }
  /// Name of a Field.
  std::string_view name() const { return value_.text(); }
  /// Members of a Key, scalar of a Value, number of an Index.
  const codec::Value& value() const { return value_; }

  /// Returns the form used in messages: `.spec`, `[name="a"]`, `[="x"]`, `[3]`.
  std::string Text() const;

  friend std::strong_ordering operator<=>(const PathElement& a, const PathElement& b);
  friend bool operator==(const PathElement& a, const PathElement& b) { return (a <=> b) == 0; }

 private:
  PathElement(Kind kind, const codec::Value& value) : kind_(kind), value_(value) {}

  Kind kind_;
  codec::Value value_;
};

}  // namespace plimsoll::api
