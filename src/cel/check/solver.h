#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cel/library.h"
#include "cel/type.h"

namespace plimsoll::cel {

/// Infers the type variables of one expression by unification, with `dyn` as a wildcard. Each
/// attempt either succeeds and keeps its bindings, or leaves all bindings unchanged.
class TypeSolver {
 public:
  explicit TypeSolver(TypePool& pool) : pool_(pool) {}

  const Type* NewVariable() { return pool_.Variable(count_++); }

  /// Returns true if a value of type `from` may be used where `to` is expected.
  bool IsAssignable(const Type* to, const Type* from);
  bool AreAssignable(std::span<const Type* const> to, std::span<const Type* const> from);

  /// Parameters and result of an overload, with fresh variables for its type parameters.
  struct Instance {
    std::vector<const Type*> parameters;
    const Type* result = nullptr;
  };
  void Instantiate(const Overload& overload, Instance& out);
  /// Skips the variable numbers of an instance: messages show variables by number.
  void SkipInstance(const Overload& overload) {
    count_ += static_cast<std::uint32_t>(overload.type_params.size());
  }

  /// Returns the type with all bound variables replaced.
  const Type* Substitute(const Type* type);
  /// Same as Substitute, and replaces free variables by dyn.
  const Type* SubstituteAll(const Type* type);

  /// Returns the type that also accepts the other type's values.
  static const Type* MostGeneral(const Type* a, const Type* b);

 private:
  struct Undo {
    std::uint32_t number;
    const Type* before;
  };
  enum class Substitution : std::uint8_t { Valid, Bound, Free };

  const Type* Find(const Type* variable) const;
  void Bind(const Type* variable, const Type* type);
  void RollBack(std::size_t mark);
  bool Unify(const Type* a, const Type* b);
  bool UnifyLists(std::span<const Type* const> a, std::span<const Type* const> b);
  Substitution TryBind(const Type* variable, const Type* type);
  bool IsFreeOf(const Type* variable, const Type* within) const;
  const Type* Replace(const Type* type, bool frees_become_dyn);
  const Type* ReplaceParams(const Type* type, const Overload& overload, std::uint32_t first);

  TypePool& pool_;
  std::vector<const Type*> bound_;  // indexed by variable number
  std::vector<Undo> trail_;
  std::uint32_t count_ = 0;
};

}  // namespace plimsoll::cel
