#pragma once

#include <concepts>
#include <expected>
#include <optional>
#include <span>
#include <string>

#include "cel/library.h"
#include "cel/program.h"
#include "cel/value.h"

/// Code shared by the libraries that define types.
namespace plimsoll::cel {

/// Run-time type of a kind of opaque values, created at first use.
class OpaqueType {
 public:
  explicit OpaqueType(std::string_view name) : type_(pool_.Opaque(name)) {}
  const Type* get() const { return type_; }

 private:
  TypePool pool_;
  const Type* type_;
};

/// Returns the value as a T. REQUIRES: it is one.
template <class T>
const T& As(const Value& value) {
  return static_cast<const T&>(value.opaque());
}

/// Returns the value as a T, or nullptr if it is something else.
template <class T>
const T* Find(const Value& value) {
  return value.is(ValueKind::Opaque) ? dynamic_cast<const T*>(&value.opaque()) : nullptr;
}

template <class T, class... Arguments>
Value MakeOpaque(Arena& arena, Arguments&&... arguments) {
  return Value::Opaque(arena.Own<T>(std::forward<Arguments>(arguments)...));
}

/// A call that parses a text into a value. `kRead` creates the value in the given arena
/// and returns nothing on failure. `kExplain` returns the error text, and is called only
/// when the error is read. Constant texts are parsed at planning time; an invalid one
/// fails only when it is evaluated.
template <std::optional<Value> (*kRead)(const Value* arguments, Arena& arena),
          std::string (*kExplain)(const Value* arguments), std::size_t kArity = 1>
struct ParsedCall {
  static_assert(kArity == 1 || kArity == 2);

  static Value Call(Evaluation& evaluation, const Value* arguments) {
    const std::optional<Value> value = kRead(arguments, evaluation.arena());
    if (value) return *value;
    return evaluation.FailLater(Compose, {}, arguments[0], kArity == 2 ? arguments[1] : Value());
  }

  static Value Known(Evaluation&, const void* state, const Value*) {
    return *static_cast<const Value*>(state);
  }

  static std::expected<Prepared, std::string> PrepareCall(std::span<const Value* const> constants,
                                                          Arena& arena) {
    Value arguments[kArity];
    for (std::size_t i = 0; i < kArity; ++i) {
      if (constants[i] == nullptr || !FitsAt(i, *constants[i])) return Prepared{};
      arguments[i] = *constants[i];
    }
    const std::optional<Value> value = kRead(arguments, arena);
    if (!value) return Prepared{};
    return Prepared{Known, arena.Own<Value>(*value)};
  }

  /// Returns whether the text can be parsed, for the functions named `is…`.
  static Value Succeeds(Evaluation& evaluation, const Value* arguments) {
    return Value::Bool(kRead(arguments, evaluation.arena()).has_value());
  }

 private:
  static std::string Compose(const ErrorValue& error) {
    const Value arguments[] = {error.first(), error.second()};
    return kExplain(arguments);
  }

  static bool FitsAt(std::size_t place, const Value& value) {
    return value.is(place == 0 ? ValueKind::String : ValueKind::Bool);
  }
};

}  // namespace plimsoll::cel
