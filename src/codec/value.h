#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "base/assert.h"

namespace plimsoll::codec {

struct Member;

/// One node of a parsed JSON or YAML tree. A Value is a view: texts, items and members are in the
/// arena of its Document, which must outlive it. A copy of a Value copies 24 bytes.
class Value {
 public:
  /// `Int` is a whole number within 64 bits. `Number` is any other JSON number, stored as text so
  /// that it is written back digit for digit.
  enum class Kind : std::uint8_t { Null, Bool, Int, Number, String, Array, Object };

  constexpr Value() : int_(0) {}
  static Value Null() { return {}; }
  static Value Bool(bool value);
  static Value Int(std::int64_t value);
  /// REQUIRES: the text is a JSON number. It must outlive the value, as the text of a String must.
  static Value Number(std::string_view text);
  static Value String(std::string_view text);

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::Null; }
  bool is_bool() const { return kind_ == Kind::Bool; }
  bool is_int() const { return kind_ == Kind::Int; }
  bool is_number() const { return kind_ == Kind::Int || kind_ == Kind::Number; }
  bool is_string() const { return kind_ == Kind::String; }
  bool is_array() const { return kind_ == Kind::Array; }
  bool is_object() const { return kind_ == Kind::Object; }

  bool AsBool() const {
    PL_ASSERT(is_bool());
    return int_ != 0;
  }
  std::int64_t AsInt() const {
    PL_ASSERT(is_int());
    return int_;
  }
  /// Unescaped text of a String, or digits of a Number.
  std::string_view text() const {
    PL_ASSERT(kind_ == Kind::String || kind_ == Kind::Number);
    return {text_, size_};
  }
  /// Empty if this is no Array. Same for `members` and Object.
  std::span<const Value> items() const {
    return {is_array() ? items_ : nullptr, is_array() ? size_ : 0};
  }
  std::span<Value> items() { return {is_array() ? items_ : nullptr, is_array() ? size_ : 0}; }
  std::span<const Member> members() const;
  std::span<Member> members();

  /// Returns the member's value, or null if there is none or this is no Object. The cost is linear
  /// in the number of members.
  const Value* Find(std::string_view key) const;
  Value* Find(std::string_view key);

  /// Line, counted from 1, where the value begins in the source; 0 for a value made by code.
  std::uint32_t line() const { return line_; }
  void set_line(std::uint32_t line) { line_ = line; }

  /// Compares trees: objects as unordered sets of members, numbers by text, lines ignored.
  friend bool operator==(const Value& a, const Value& b);

 private:
  friend class Document;

  Value(Kind kind, std::string_view text);

  Kind kind_ = Kind::Null;
  std::uint32_t size_ = 0;  // bytes of a text, number of items or members
  union {
    std::int64_t int_;
    const char* text_;
    Value* items_;
    Member* members_;
  };
  std::uint32_t line_ = 0;
  std::uint32_t capacity_ = 0;  // capacity for items or members
};

/// Number of a member's field in the schema of its type. It is set when the tree is checked against
/// the schema, so that later passes compare numbers instead of texts.
using FieldId = std::uint16_t;
inline constexpr FieldId kUnknownField = 0xffff;

struct Member {
  std::string_view key;
  Value value;
  FieldId field = kUnknownField;
};

static_assert(sizeof(Value) == 24);

inline Value::Value(Kind kind, std::string_view text)
    : kind_(kind), size_(static_cast<std::uint32_t>(text.size())), text_(text.data()) {
  PL_ASSERT(text.size() <= UINT32_MAX);
}
inline Value Value::Bool(bool value) {
  Value result;
  result.kind_ = Kind::Bool;
  result.int_ = value ? 1 : 0;
  return result;
}
inline Value Value::Int(std::int64_t value) {
  Value result;
  result.kind_ = Kind::Int;
  result.int_ = value;
  return result;
}
inline Value Value::Number(std::string_view text) { return {Kind::Number, text}; }
inline Value Value::String(std::string_view text) { return {Kind::String, text}; }

inline std::span<const Member> Value::members() const {
  return {is_object() ? members_ : nullptr, is_object() ? size_ : 0};
}
inline std::span<Member> Value::members() {
  return {is_object() ? members_ : nullptr, is_object() ? size_ : 0};
}

}  // namespace plimsoll::codec
