#include "cel/eval/steps.h"

namespace plimsoll::cel::steps {
namespace {

/// Returns the operand of `&&` or `||` as a Bool, or the error that it is or causes.
Value AsTruth(Machine& machine, const Value& value) {
  if (value.is(ValueKind::Bool) || value.is_error()) return value;
  return machine.evaluation.NoSuchOverload();
}

/// Result if neither side decides: the leftmost error, else the right side.
Value Undecided(Machine& machine, const Value& left, const Value& right) {
  return left.is_error() ? left : AsTruth(machine, right);
}

}  // namespace

Next AndLeft(Machine& machine, Next at) {
  Value& place = machine.slots[at->to];
  if (place.is_false()) return at->target();
  place = AsTruth(machine, place);
  return at + 1;
}

Next LocalAndLeft(Machine& machine, Next at) {
  machine.slots[at->to] = machine.slots[at->a];
  const Next next = AndLeft(machine, at);
  return machine.ChargeOnes(at->cost, next);
}

Next LocalOrLeft(Machine& machine, Next at) {
  machine.slots[at->to] = machine.slots[at->a];
  const Next next = OrLeft(machine, at);
  return machine.ChargeOnes(at->cost, next);
}

Next AndRight(Machine& machine, Next at) {
  Value& place = machine.slots[at->to];
  const Value& right = machine.slots[at->a];
  place = right.is_false() ? right : Undecided(machine, place, right);
  return at + 1;
}

Next OrLeft(Machine& machine, Next at) {
  Value& place = machine.slots[at->to];
  if (place.is_true()) return at->target();
  place = AsTruth(machine, place);
  return at + 1;
}

Next OrRight(Machine& machine, Next at) {
  Value& place = machine.slots[at->to];
  const Value& right = machine.slots[at->a];
  place = right.is_true() ? right : Undecided(machine, place, right);
  return at + 1;
}

Next Branch(Machine& machine, Next at) {
  Value& place = machine.slots[at->to];
  if (place.is_true()) return at + 1;
  if (place.is_false()) return at->target();
  place = AsTruth(machine, place);
  return at + at->b;
}

Next Not(Machine& machine, Next at) {
  Value& place = machine.slots[at->to];
  if (place.is(ValueKind::Bool)) [[likely]] {
    place = Value::Bool(!place.as_bool());
  } else if (!place.is_error()) {
    place = machine.evaluation.NoSuchOverload();
  }
  return machine.Charge(1, at + 1);
}

Next NotStrictlyFalse(Machine& machine, Next at) {
  Value& place = machine.slots[at->to];
  if (!place.is(ValueKind::Bool)) place = Value::Bool(true);
  return machine.Charge(1, at + 1);
}

Next OrElse(Machine& machine, Next at) {
  Value& place = machine.slots[at->to];
  if (!place.is(ValueKind::Optional)) {
    if (!place.is_error()) place = machine.evaluation.NoSuchOverload();
    return at->target();
  }
  if (place.optional() == nullptr) return at + 1;
  if (at->count != 0) place = *place.optional();
  return at->target();
}

}  // namespace plimsoll::cel::steps
