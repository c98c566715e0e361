#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "cel/library.h"
#include "cel/type.h"

namespace plimsoll::cel {

/// Finds what the type variables of one expression stand for, by unification with `dyn` as a
/// wildcard. Each attempt either holds and keeps what it bound, or leaves everything as it was.
class TypeSolver {
 public:
  explicit TypeSolver(TypePool& pool) : pool_(pool) {}

  const Type* NewVariable() { return pool_.Variable(count_++); }

  /// Whether a value of type `from` may stand where `to` is wanted.
  bool IsAssignable(const Type* to, const Type* from);
  bool AreAssignable(std::span<const Type* const> to, std::span<const Type* const> from);

  /// The parameters and the result of an overload, its type parameters replaced by new variables.
  struct Instance {
    std::vector<const Type*> parameters;
    const Type* result = nullptr;
  };
  void Instantiate(const Overload& overload, Instance& out);
  /// Counts the variables that an instance would have used: they show in messages by number.
  void SkipInstance(const Overload& overload) {
    count_ += static_cast<std::uint32_t>(overload.type_params.size());
  }

  /// The type with all bound variables replaced.
  const Type* Substitute(const Type* type);
  /// Likewise, and free variables become dyn.
  const Type* SubstituteAll(const Type* type);

  /// The one of two types that takes the other's values as well.
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
  std::vector<const Type*> bound_;  // by the variable's number
  std::vector<Undo> trail_;
  std::uint32_t count_ = 0;
};

}  // namespace plimsoll::cel
