#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace plimsoll::cel {

enum class TypeKind : std::uint8_t {
  Error,  // of an expression that was already reported
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
  Type,     // parameters: the type that the value names; none for the bare `type`
  Wrapper,  // parameters: the primitive; null is a value as well
  Object,   // a declared structure
  Opaque,   // has functions only: net.IP, optional_type(V)
  Param,    // `A` of a declaration, or a variable that the checker solves
};

/// An immutable type. Types are interned: within one family of pools equal types are the same
/// object, so they are compared by address.
class Type {
 public:
  TypeKind kind() const { return kind_; }
  /// Upstream's run-time name: `int`, `list`, `google.protobuf.Timestamp`, `net.IP`.
  std::string_view name() const { return name_; }
  std::span<const Type* const> parameters() const { return {parameters_, count_}; }
  const Type* parameter(std::size_t index) const { return parameters_[index]; }

  /// Whether a Param stands anywhere in it.
  bool has_params() const { return has_params_; }
  /// Of a checker's variable, counted from 0; kNamed for a parameter with a name.
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
  std::uint32_t size_ = 1;  // types in it, itself included and each as often as it stands there
  std::string_view name_;
  const Type* const* parameters_ = nullptr;
};

/// The types without parameters, the same for all.
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
// What `type(x)` answers for a list, a map, an optional: the parameters are not known then.
extern const Type* const kList;
extern const Type* const kMap;
extern const Type* const kOptional;
}  // namespace types

/// Makes and owns types. A pool made over another sees and reuses the other's types, so that the
/// pool of an environment is shared, unchanged, by all compilations, and each of them adds its own.
/// For one thread while it makes types; reading is free.
///
/// A few levels of `{x: x}` make a type that no one could read, nor walk in time. A type of more
/// than kTypeSizeMax types is dyn instead: no literal that fits into an expression is as large.
class TypePool {
 public:
  static constexpr std::uint32_t kTypeSizeMax = 1024;

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

  /// The same type with other parameters.
  const Type* With(const Type* type, std::span<const Type* const> parameters);

  /// About how much memory its own types hold.
  std::size_t bytes() const;

  /// Reads a type as declarations write it: `list(int)`, `map(string, dyn)`, `optional_type(V)`,
  /// `timestamp`, `type(A)`, `wrapper(int)`, `net.IP`. A single capital letter is a type parameter,
  /// a name that nobody declared as an object is an opaque type. Invalid: what is wrong with it.
  Result<const Type*> Parse(std::string_view text);

 private:
  struct State;
  const Type* Intern(TypeKind kind, std::string_view name, std::span<const Type* const> parameters,
                     std::uint32_t number);
  std::unique_ptr<State> state_;
};

/// As messages of the checker write it: `timestamp`, `null`, `list(int)`, `!error!`.
std::string MessageText(const Type* type);
/// As the type of a result is written: `google.protobuf.Timestamp`, `null_type`, `list(int)`.
std::string OutputText(const Type* type);
/// `(string, int)`, or `string.(int)` for a call on a target.
std::string SignatureText(std::span<const Type* const> arguments, bool is_member);

}  // namespace plimsoll::cel
