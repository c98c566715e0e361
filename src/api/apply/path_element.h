#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "codec/document.h"

namespace plimsoll::api {

/// One step into a tree, as managedFields write it: `f:name` into a member, `k:{"name":"a"}` to the
/// element of a list that has these keys, `v:"x"` to that element of a set, `i:3` to an index.
///
/// A view: its texts belong to the tree or document that it was made from.
class PathElement {
 public:
  enum class Kind : std::uint8_t { Field, Key, Value, Index };  // in their order

  static PathElement Field(std::string_view name) {
    return {Kind::Field, codec::Value::String(name)};
  }
  /// The members must be scalars, in the order of their keys.
  static PathElement Key(const codec::Value& object) { return {Kind::Key, object}; }
  static PathElement Value(const codec::Value& scalar) { return {Kind::Value, scalar}; }
  static PathElement Index(std::int64_t index) { return {Kind::Index, codec::Value::Int(index)}; }

  /// Reads the written form. NotFound for a kind from the future, which is to be passed over;
  /// BadRequest for what is none at all. Keys and values are parsed into `arena`.
  static Result<PathElement> Parse(codec::Document& arena, std::string_view text);
  /// The written form, kept in `out`.
  std::string_view Encode(codec::Document& out) const;

  Kind kind() const { return kind_; }
  /// The name, of a Field.
  std::string_view name() const { return value_.text(); }
  /// The members of a Key, the scalar of a Value, the number of an Index.
  const codec::Value& value() const { return value_; }

  /// As paths in messages show it: `.spec`, `[name="a"]`, `[="x"]`, `[3]`.
  std::string Text() const;

  friend std::strong_ordering operator<=>(const PathElement& a, const PathElement& b);
  friend bool operator==(const PathElement& a, const PathElement& b) { return (a <=> b) == 0; }

 private:
  PathElement(Kind kind, const codec::Value& value) : kind_(kind), value_(value) {}

  Kind kind_;
  codec::Value value_;
};

}  // namespace plimsoll::api
