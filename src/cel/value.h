#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/assert.h"
#include "cel/arena.h"
#include "cel/type.h"

namespace plimsoll::cel {

class Evaluation;
class MapValue;
class ObjectValue;
class OpaqueValue;
class ErrorValue;
struct ObjectType;

enum class ValueKind : std::uint8_t {
  Null,
  Bool,
  Int,
  Uint,
  Double,
  String,
  Bytes,
  Duration,
  Timestamp,
  List,
  Map,
  Object,  // a host structure; expressions see a map from field names
  Opaque,
  Optional,
  Type,
  Error,
};

/// A run-time value of 16 bytes, cheap to copy. Scalars are stored inline. All other values point
/// into the evaluation's arena, the program's constants or the host's memory, and must not outlive
/// it. A list is a pointer to its elements and their number.
///
/// Reading a value as another kind is a programming error and is not checked.
class Value {
 public:
  constexpr Value() : payload_{.integer = 0} {}  // null

  static constexpr Value Null() { return {}; }
  static constexpr Value Bool(bool value) { return {ValueKind::Bool, {.boolean = value}}; }
  static constexpr Value Int(std::int64_t value) { return {ValueKind::Int, {.integer = value}}; }
  static constexpr Value Uint(std::uint64_t value) { return {ValueKind::Uint, {.natural = value}}; }
  static constexpr Value Double(double value) { return {ValueKind::Double, {.real = value}}; }
  static Value String(std::string_view text) { return OfText(ValueKind::String, text); }
  static Value Bytes(std::string_view bytes) { return OfText(ValueKind::Bytes, bytes); }
  static constexpr Value Duration(std::int64_t nanoseconds) {
    return {ValueKind::Duration, {.integer = nanoseconds}};
  }
  /// Seconds since 1970 and nanoseconds within the second, 0 to 999,999,999. The offset is the
  /// original one; only the text form shows it.
  static constexpr Value Timestamp(std::int64_t seconds, std::uint32_t nanoseconds,
                                   std::int16_t offset_minutes = 0) {
    Value made(ValueKind::Timestamp, {.integer = seconds});
    made.size_ = nanoseconds;
    made.offset_minutes_ = offset_minutes;
    return made;
  }
  static Value List(std::span<const Value> elements) {
    Value made(ValueKind::List, {.values = elements.data()});
    made.size_ = Size(elements.size());
    return made;
  }
  static Value Map(const MapValue* map) { return {ValueKind::Map, {.map = map}}; }
  static Value Object(const ObjectValue* object) { return {ValueKind::Object, {.object = object}}; }
  static Value Opaque(const OpaqueValue* opaque) { return {ValueKind::Opaque, {.opaque = opaque}}; }
  /// nullptr is optional.none().
  static Value Optional(const Value* value) { return {ValueKind::Optional, {.values = value}}; }
  static Value OfType(const cel::Type* type) { return {ValueKind::Type, {.type = type}}; }
  static Value Error(const ErrorValue* error) { return {ValueKind::Error, {.error = error}}; }

  ValueKind kind() const { return kind_; }
  bool is(ValueKind kind) const { return kind_ == kind; }
  bool is_error() const { return kind_ == ValueKind::Error; }
  bool is_true() const { return kind_ == ValueKind::Bool && payload_.boolean; }
  bool is_false() const { return kind_ == ValueKind::Bool && !payload_.boolean; }

  bool as_bool() const { return payload_.boolean; }
  std::int64_t as_int() const { return payload_.integer; }
  std::uint64_t as_uint() const { return payload_.natural; }
  double as_double() const { return payload_.real; }
  /// Text of a String or Bytes.
  std::string_view text() const { return {payload_.text, size_}; }
  std::int64_t duration_ns() const { return payload_.integer; }
  std::int64_t seconds() const { return payload_.integer; }
  std::uint32_t nanoseconds() const { return size_; }
  std::int16_t offset_minutes() const { return offset_minutes_; }
  std::span<const Value> elements() const { return {payload_.values, size_}; }
  const MapValue& map() const { return *payload_.map; }
  const ObjectValue& object() const { return *payload_.object; }
  const OpaqueValue& opaque() const { return *payload_.opaque; }
  /// Value of the optional; nullptr if it is empty.
  const Value* optional() const { return payload_.values; }
  const cel::Type* type() const { return payload_.type; }
  const ErrorValue& error() const { return *payload_.error; }

  /// Returns the result of `type(x)`: `list`, `map`, `kubernetes.Quantity`.
  /// Parameters are unknown at run time.
  const cel::Type* RuntimeType() const;

 private:
  union Payload {
    bool boolean;
    std::int64_t integer;
    std::uint64_t natural;
    double real;
    const char* text;
    const Value* values;
    const MapValue* map;
    const ObjectValue* object;
    const OpaqueValue* opaque;
    const cel::Type* type;
    const ErrorValue* error;
  };

  constexpr Value(ValueKind kind, Payload payload) : kind_(kind), payload_(payload) {}

  static std::uint32_t Size(std::size_t size) {
    PL_ASSERT(size <= UINT32_MAX);
    return static_cast<std::uint32_t>(size);
  }
  static Value OfText(ValueKind kind, std::string_view text) {
    Value made(kind, {.text = text.data()});
    made.size_ = Size(text.size());
    return made;
  }

  ValueKind kind_ = ValueKind::Null;
  std::int16_t offset_minutes_ = 0;  // for a Timestamp
  std::uint32_t size_ = 0;           // bytes of a text, elements of a list, nanoseconds
  Payload payload_;
};
static_assert(sizeof(Value) == 16);

/// An immutable map in insertion order. Keys are equal only if kind and
/// value are equal: `1`, `1u` and `1.0` are three keys. A lookup by number
/// finds a key of any numeric kind.
class MapValue {
 public:
  struct Entry {
    Value key;
    Value value;
  };

  /// Makes a map of distinct entries, which must outlive it. Larger maps get an index in `arena`.
  static const MapValue* Make(std::span<const Entry> entries, Arena& arena);
  /// Same, and missing text keys read as `missing`. `in`, size and iteration ignore it. Used for
  /// the attributes of a device, where an unknown domain is an empty map.
  static const MapValue* MakeWithDefault(std::span<const Entry> entries, const Value* missing,
                                         Arena& arena);

  /// Makes a map of the entries of a literal: of entries with equal keys the last value is used.
  /// Compacts the entries in place.
  static const MapValue* Collect(std::span<Entry> entries, Arena& arena);

  std::span<const Entry> entries() const { return entries_; }
  std::size_t size() const { return entries_.size(); }

  /// For select, index, has() and their optional forms. Returns nullptr if there is no such key.
  const Value* Find(const Value& key) const;
  const Value* Find(std::string_view key) const;
  /// For `in`.
  bool Contains(const Value& key) const { return FindEntry(key) != nullptr; }

  /// Returns `map` with one more entry. REQUIRES: `map` lacks the key. Comprehensions build maps
  /// with this in linear time: both maps share memory, so `map` must not be used afterwards.
  static const MapValue* Insert(const MapValue* map, const Entry& entry, Arena& arena);

 private:
  MapValue() = default;
  const Entry* FindEntry(const Value& key) const;
  const Entry* FindSame(const Value& key) const;
  void Reserve(std::uint32_t capacity, Arena& arena);
  void Index(std::uint32_t place);

  std::span<const Entry> entries_;
  const Value* missing_ = nullptr;
  std::uint32_t* index_ = nullptr;  // open addressing; UINT32_MAX: empty
  std::uint32_t index_mask_ = 0;
  std::uint32_t capacity_ = 0;  // for a growing map: number of entries that fit in `room_`
  Entry* room_ = nullptr;
};

/// Returns true if two values are the same map key: equal kind and equal value. Lists, maps and
/// opaque values are never the same key.
bool SameKey(const Value& a, const Value& b);
std::size_t HashKey(const Value& key);

/// A host structure: one value per field, in the order of its declared type. The planner resolves
/// field names to indices, so reading a field needs no lookup.
class ObjectValue {
 public:
  ObjectValue(const ObjectType* type, const Value* fields) : type_(type), fields_(fields) {}
  const ObjectType& type() const { return *type_; }
  const Value& field(std::size_t place) const { return fields_[place]; }
  /// Returns nullptr if there is no such field.
  const Value* Find(std::string_view name) const;

 private:
  const ObjectType* type_;
  const Value* fields_;
};

/// A value that only its library can inspect. Allocated with Arena::Own.
class OpaqueValue {
 public:
  virtual ~OpaqueValue() = default;
  virtual const Type* type() const = 0;
  /// Returns a Bool, or upstream's error (for a Quantity compared with a text through dyn).
  virtual Value Equals(Evaluation& evaluation, const Value& other) const = 0;
  /// Size for costs: the bytes of an address; 1 for values without a size.
  virtual std::uint64_t cost_size() const { return 1; }
  /// Returns the value in its own notation: `1Gi`, `1.2.3`.
  virtual std::string Text() const = 0;
  /// Function that parses such a text: `quantity`.
  virtual std::string_view maker() const = 0;
};

/// An error. Most errors are absorbed by `&&`, `||`, all or exists and never read, so only the
/// parts of the message are kept; Text composes them.
class ErrorValue {
 public:
  using Compose = std::string (*)(const ErrorValue&);

  ErrorValue(Compose compose, std::string_view text, Value first, Value second)
      : compose_(compose), text_(text), first_(first), second_(second) {}

  std::string Text() const { return compose_ == nullptr ? std::string(text_) : compose_(*this); }
  std::string_view text() const { return text_; }
  const Value& first() const { return first_; }
  const Value& second() const { return second_; }

 private:
  Compose compose_;
  std::string_view text_;
  Value first_;
  Value second_;
};

/// Returns the number of code points of a text; each invalid byte counts as one, as in Go.
std::size_t CountCodePoints(std::string_view text);

}  // namespace plimsoll::cel
