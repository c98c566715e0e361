#include "cel/check/solver.h"

#include <algorithm>
#include <array>

#include "base/assert.h"
#include "cel/limits.h"

namespace plimsoll::cel {
namespace {

bool IsWildcard(const Type* type) { return type->is_dyn() || type->is(TypeKind::Error); }

/// Returns true if values of the type may be null.
bool IsNullable(const Type* type) {
  switch (type->kind()) {
    case TypeKind::Null:
    case TypeKind::Any:
    case TypeKind::Duration:
    case TypeKind::Timestamp:
    case TypeKind::Object:
    case TypeKind::Opaque:
    case TypeKind::Wrapper:
      return true;
    default:
      return false;
  }
}

bool IsEqualOrLessSpecific(const Type* a, const Type* b) {
  if (a->is_dyn() || a->is(TypeKind::Param)) return true;
  if (b->is_dyn() || b->is(TypeKind::Param)) return false;
  if (a->kind() != b->kind()) return false;
  switch (a->kind()) {
    case TypeKind::Opaque:
    case TypeKind::List:
    case TypeKind::Map:
      return a->name() == b->name() &&
             std::ranges::equal(a->parameters(), b->parameters(), IsEqualOrLessSpecific);
    case TypeKind::Type:
      return true;
    default:
      return a == b;
  }
}

}  // namespace

const Type* TypeSolver::MostGeneral(const Type* a, const Type* b) {
  return IsEqualOrLessSpecific(a, b) ? a : b;
}

const Type* TypeSolver::Find(const Type* variable) const {
  const std::uint32_t number = variable->number();
  return number < bound_.size() ? bound_[number] : nullptr;
}

void TypeSolver::Bind(const Type* variable, const Type* type) {
  PL_ASSERT(variable->number() != Type::kNamed);
  if (bound_.size() < count_) bound_.resize(count_);
  trail_.push_back({variable->number(), bound_[variable->number()]});
  bound_[variable->number()] = type;
}

void TypeSolver::RollBack(std::size_t mark) {
  while (trail_.size() > mark) {
    bound_[trail_.back().number] = trail_.back().before;
    trail_.pop_back();
  }
}

bool TypeSolver::IsAssignable(const Type* to, const Type* from) {
  if (to == from) return true;
  const std::size_t mark = trail_.size();
  if (Unify(to, from)) return true;
  RollBack(mark);
  return false;
}

bool TypeSolver::AreAssignable(std::span<const Type* const> to, std::span<const Type* const> from) {
  const std::size_t mark = trail_.size();
  if (UnifyLists(to, from)) return true;
  RollBack(mark);
  return false;
}

bool TypeSolver::UnifyLists(std::span<const Type* const> a, std::span<const Type* const> b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!Unify(a[i], b[i])) return false;
  }
  return true;
}

/// Binds the variable to `type`, or generalizes its existing binding.
TypeSolver::Substitution TypeSolver::TryBind(const Type* variable, const Type* type) {
  if (type == variable) return Substitution::Valid;
  if (const Type* const before = Find(variable); before != nullptr) {
    if (type == before) return Substitution::Valid;
    if (!Unify(type, before)) return Substitution::Bound;
    const Type* const general = MostGeneral(type, before);
    if (IsFreeOf(variable, general)) Bind(variable, general);
    return Substitution::Valid;
  }
  if (!IsFreeOf(variable, type)) return Substitution::Free;
  Bind(variable, type);
  return Substitution::Valid;
}

bool TypeSolver::Unify(const Type* a, const Type* b) {
  if (b->is(TypeKind::Param)) {
    const Substitution tried = TryBind(b, a);
    if (tried == Substitution::Valid) return true;
    if (tried == Substitution::Bound) return false;
  }
  if (a->is(TypeKind::Param)) return TryBind(a, b) == Substitution::Valid;
  if (IsWildcard(a) || IsWildcard(b)) return true;
  if (a->is(TypeKind::Null)) return IsNullable(b);
  if (b->is(TypeKind::Null)) return IsNullable(a);
  switch (a->kind()) {
    case TypeKind::Type:
      return b->is(TypeKind::Type);
    case TypeKind::Opaque:
    case TypeKind::List:
    case TypeKind::Map:
      return a->kind() == b->kind() && a->name() == b->name() &&
             UnifyLists(a->parameters(), b->parameters());
    case TypeKind::Wrapper:
      return a == b || a->parameter(0) == b;
    default:
      return a == b || (b->is(TypeKind::Wrapper) && b->parameter(0) == a);
  }
}

bool TypeSolver::IsFreeOf(const Type* variable, const Type* within) const {
  if (variable == within) return false;
  if (!within->has_params()) return true;
  if (within->is(TypeKind::Param)) {
    const Type* const bound = Find(within);
    return bound == nullptr || IsFreeOf(variable, bound);
  }
  return std::ranges::all_of(within->parameters(),
                             [&](const Type* one) { return IsFreeOf(variable, one); });
}

const Type* TypeSolver::Substitute(const Type* type) { return Replace(type, false); }
const Type* TypeSolver::SubstituteAll(const Type* type) { return Replace(type, true); }

const Type* TypeSolver::Replace(const Type* type, bool frees_become_dyn) {
  if (!type->has_params()) return type;
  if (type->is(TypeKind::Param)) {
    const Type* const bound = Find(type);
    if (bound != nullptr) return Replace(bound, frees_become_dyn);
    return frees_become_dyn ? types::kDyn : type;
  }
  std::array<const Type*, kTypeParametersMax> replaced{};
  const std::size_t count = type->parameters().size();
  PL_ASSERT(count <= kTypeParametersMax);
  for (std::size_t i = 0; i < count; ++i) {
    replaced[i] = Replace(type->parameter(i), frees_become_dyn);
  }
  return pool_.With(type, std::span(replaced).first(count));
}

const Type* TypeSolver::ReplaceParams(const Type* type, const Overload& overload,
                                      std::uint32_t first) {
  if (!type->has_params()) return type;
  if (type->is(TypeKind::Param)) {
    const auto found = std::ranges::find(overload.type_params, type);
    return pool_.Variable(first + static_cast<std::uint32_t>(found - overload.type_params.begin()));
  }
  std::array<const Type*, kTypeParametersMax> replaced{};
  const std::size_t count = type->parameters().size();
  for (std::size_t i = 0; i < count; ++i) {
    replaced[i] = ReplaceParams(type->parameter(i), overload, first);
  }
  return pool_.With(type, std::span(replaced).first(count));
}

void TypeSolver::Instantiate(const Overload& overload, Instance& out) {
  const std::uint32_t first = count_;
  SkipInstance(overload);
  out.parameters.clear();
  for (const Type* one : overload.parameters) {
    out.parameters.push_back(ReplaceParams(one, overload, first));
  }
  out.result = ReplaceParams(overload.result, overload, first);
}

}  // namespace plimsoll::cel
