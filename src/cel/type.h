#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"
#include "cel/limits.h"

namespace plimsoll::cel {

enum class TypeKind : std::uint8_t {
  Error,  // type of an expression with a reported error
  Dyn,
  Null,
  Bool,
  Int,
  Uint,
  Double,
  String,
  Bytes,
  Duration,
  Timestamp,
  Any,
  List,     // parameters: element
  Map,      // parameters: key, value
  Type,     // parameters: the named type; none for the bare `type`
  Wrapper,  // parameters: the primitive; null is also a value
  Object,   // a declared structure
  Opaque,   // only accessible by functions: net.IP, optional_type(V)
  Param,    // `A` of a declaration, or a type variable of the checker
};

/// An immutable type. Types are interned: within a pool and its parents equal types are the same
/// object, so they are compared by address.
class Type {
 public:
  TypeKind kind() const { return kind_; }
  /// Upstream's run-time name: `int`, `list`, `google.protobuf.Timestamp`, `net.IP`.
  std::string_view name() const { return name_; }
  std::span<const Type* const> parameters() const { return {parameters_, count_}; }
  const Type* parameter(std::size_t index) const { return parameters_[index]; }

  /// Returns true if the type contains a Param.
  bool has_params() const { return has_params_; }
  /// Number of a checker's variable, from 0; kNamed for a named parameter.
  std::uint32_t number() const { return number_; }
  static constexpr std::uint32_t kNamed = UINT32_MAX;

  bool is(TypeKind kind) const { return kind_ == kind; }
  bool is_dyn() const { return kind_ == TypeKind::Dyn || kind_ == TypeKind::Any; }
  bool is_optional() const;

 private:
  friend class TypePool;
  friend struct BasicTypes;

  TypeKind kind_ = TypeKind::Error;
  bool has_params_ = false;
  std::uint8_t count_ = 0;
  std::uint32_t number_ = kNamed;
  std::uint32_t size_ = 1;  // number of types in it, including itself and duplicates
  std::string_view name_;
  const Type* const* parameters_ = nullptr;
};

/// Types without parameters, shared by all pools.
namespace types {
extern const Type* const kError;
extern const Type* const kDyn;
extern const Type* const kNull;
extern const Type* const kBool;
extern const Type* const kInt;
extern const Type* const kUint;
extern const Type* const kDouble;
extern const Type* const kString;
extern const Type* const kBytes;
extern const Type* const kDuration;
extern const Type* const kTimestamp;
extern const Type* const kAny;
extern const Type* const kType;  // bare
// Results of `type(x)` for a list, a map, an optional: the parameters are unknown at run time.
extern const Type* const kList;
extern const Type* const kMap;
extern const Type* const kOptional;
}  // namespace types

/// Creates and owns types. A pool with a parent reuses the parent's types. So all compilations
/// share the pool of their environment, unchanged, and each adds its own types. Creating types is
/// not thread-safe; reading is.
///
/// A few levels of `{x: x}` give a type that is too large to read or traverse. A type of more than
/// kTypeSizeMax types becomes dyn; literals in real expressions stay far below.
class TypePool {
 public:
  explicit TypePool(std::shared_ptr<const TypePool> parent = nullptr);
  TypePool(TypePool&&) noexcept;
  TypePool& operator=(TypePool&&) noexcept;
  ~TypePool();

  const Type* List(const Type* element);
  const Type* Map(const Type* key, const Type* value);
  const Type* TypeOf(const Type* named);
  const Type* Wrapper(const Type* primitive);
  const Type* Optional(const Type* value);
  const Type* Object(std::string_view name);
  const Type* Opaque(std::string_view name, std::span<const Type* const> parameters = {});
  const Type* Param(std::string_view name);
  const Type* Variable(std::uint32_t number);

  /// Returns the same type with other parameters.
  const Type* With(const Type* type, std::span<const Type* const> parameters);

  /// Returns the approximate memory size of its own types.
  std::size_t bytes() const;

  /// Parses a type as written in declarations: `list(int)`, `map(string, dyn)`, `optional_type(V)`,
  /// `timestamp`, `type(A)`, `wrapper(int)`, `net.IP`. A single capital letter is a type parameter;
  /// a name that is not declared as an object is an opaque type. Invalid with the error.
  Result<const Type*> Parse(std::string_view text);

 private:
  struct State;
  const Type* Intern(TypeKind kind, std::string_view name, std::span<const Type* const> parameters,
                     std::uint32_t number);
  std::unique_ptr<State> state_;
};

/// Formats a type for messages of the checker: `timestamp`, `null`, `list(int)`, `!error!`.
std::string MessageText(const Type* type);
/// Formats the type of a result: `google.protobuf.Timestamp`, `null_type`, `list(int)`.
std::string OutputText(const Type* type);
/// Returns `(string, int)`, or `string.(int)` for a call on a target.
std::string SignatureText(std::span<const Type* const> arguments, bool is_member);

}  // namespace plimsoll::cel
