#pragma once

#include <concepts>
#include <expected>
#include <span>
#include <string>

#include "cel/library.h"
#include "cel/program.h"
#include "cel/value.h"

/// What the libraries with types of their own have in common.
namespace plimsoll::cel {

/// A type that values name as theirs. Each kind of value has one, made at its first use.
class OpaqueType {
 public:
  explicit OpaqueType(std::string_view name) : type_(pool_.Opaque(name)) {}
  const Type* get() const { return type_; }

 private:
  TypePool pool_;
  const Type* type_;
};

/// What the value is, where the caller knows that it is one.
template <class T>
const T& As(const Value& value) {
  return static_cast<const T&>(value.opaque());
}

/// Likewise, or nullptr when it is something else.
template <class T>
const T* Find(const Value& value) {
  return value.is(ValueKind::Opaque) ? dynamic_cast<const T*>(&value.opaque()) : nullptr;
}

template <class T, class... Arguments>
Value MakeOpaque(Arena& arena, Arguments&&... arguments) {
  return Value::Opaque(arena.Own<T>(std::forward<Arguments>(arguments)...));
}

/// The text of a constant is parsed when planning: `parse` makes the value in the arena it is
/// given, or says why not. A bad constant fails only when it is evaluated.
template <std::expected<Value, std::string> (*kParse)(const Value* arguments, Arena& arena)>
struct ParsedCall {
  static Value Call(Evaluation& evaluation, const Value* arguments) {
    const std::expected<Value, std::string> value = kParse(arguments, evaluation.arena());
    return value ? *value : evaluation.FailCopied(value.error());
  }

  static Value Known(Evaluation&, const void* state, const Value*) {
    return *static_cast<const Value*>(state);
  }

  static std::expected<Prepared, std::string> PrepareCall(std::span<const Value* const> constants,
                                                          Arena& arena) {
    Value arguments[2];
    for (std::size_t i = 0; i < constants.size(); ++i) {
      if (constants[i] == nullptr || !FitsAt(i, *constants[i])) return Prepared{};
      arguments[i] = *constants[i];
    }
    const std::expected<Value, std::string> value = kParse(arguments, arena);
    if (!value) return Prepared{};
    return Prepared{Known, arena.Own<Value>(*value)};
  }

  /// Whether the call could be made out, as `Is…` functions ask.
  static Value Succeeds(Evaluation& evaluation, const Value* arguments) {
    return Value::Bool(kParse(arguments, evaluation.arena()).has_value());
  }

 private:
  static bool FitsAt(std::size_t place, const Value& value) {
    return value.is(place == 0 ? ValueKind::String : ValueKind::Bool);
  }
};

}  // namespace plimsoll::cel
