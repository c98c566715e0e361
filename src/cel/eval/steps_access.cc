#include "cel/eval/access.h"
#include "cel/eval/steps.h"

namespace plimsoll::cel::steps {
namespace {

/// Replaces the value in `to` by its part. Charges the access even if the part is absent.
Next Read(Machine& machine, Next at, const Value& key) {
  Value& place = machine.slots[at->to];
  Value part;
  switch (Find(machine.evaluation, place, key, part)) {
    case Access::Present:
      place = part;
      return machine.Charge(1, at + 1);
    case Access::Absent:
      place = AbsentError(machine.evaluation, place, key);
      break;
    case Access::Failed:
      place = part;
      break;
  }
  return machine.Charge(1, at->target());
}

/// Same, but in an optional chain an absent part ends the chain without cost.
Next ReadInChain(Machine& machine, Next at, const Value& key) {
  const bool is_optional = at->count != 0 || machine.slots[at->b].is_true();
  if (!is_optional) return Read(machine, at, key);
  machine.slots[at->b] = Value::Bool(true);
  Value& place = machine.slots[at->to];
  Value part;
  switch (Find(machine.evaluation, place, key, part)) {
    case Access::Present:
      place = part;
      return machine.Charge(1, at + 1);
    case Access::Absent:
      place = Value::Optional(nullptr);
      return at->target();
    case Access::Failed:
      place = part;
      return at->target();
  }
  return nullptr;
}

Value Wrap(Evaluation& evaluation, const Value& value) {
  return Value::Optional(new (evaluation.arena().Allocate<Value>(1)) Value(value));
}

}  // namespace

Next VariableField(Machine& machine, Next at) {
  const Value& variable = machine.variables[at->a];
  if (variable.is(ValueKind::Object)) [[likely]] {
    machine.slots[at->to] = variable.object().field(at->b);
    return machine.ChargeOnes(at->cost, at + 1);
  }
  machine.slots[at->to] = variable;
  const Next next = Read(machine, at, machine.code.constants[at->count]);
  return next == nullptr ? nullptr : machine.ChargeOnes(at->cost - 1, next);
}

Next Field(Machine& machine, Next at) {
  Value& place = machine.slots[at->to];
  if (place.is_error()) [[unlikely]]
    return at->target();
  if (!place.is(ValueKind::Object)) return Read(machine, at, machine.code.constants[at->b]);
  place = place.object().field(at->a);
  return machine.Charge(1, at + 1);
}

Next Key(Machine& machine, Next at) {
  if (machine.slots[at->to].is_error()) [[unlikely]]
    return at->target();
  return Read(machine, at, machine.code.constants[at->a]);
}

Next Index(Machine& machine, Next at) {
  const Value& key = machine.slots[at->a];
  if (key.is_error()) [[unlikely]] {
    machine.slots[at->to] = key;
    return machine.Charge(1, at->target());
  }
  return Read(machine, at, key);
}

Next Test(Machine& machine, Next at) {
  Value& place = machine.slots[at->to];
  if (place.is_error()) [[unlikely]]
    return at->target();
  Value part;
  const Access access = Find(machine.evaluation, place, machine.code.constants[at->a], part);
  place = access == Access::Failed ? part : Value::Bool(access == Access::Present);
  return machine.Charge(1, at + 1);
}

Next ChainBegin(Machine& machine, Next at) {
  Value& place = machine.slots[at->to];
  machine.slots[at->b] = Value::Bool(false);
  if (place.is_error()) return at->target();
  if (!place.is(ValueKind::Optional)) return at + 1;
  if (place.optional() == nullptr) return at->target();
  machine.slots[at->b] = Value::Bool(true);
  place = *place.optional();
  return at + 1;
}

Next ChainKey(Machine& machine, Next at) {
  return ReadInChain(machine, at, machine.code.constants[at->a]);
}

Next ChainIndex(Machine& machine, Next at) {
  const Value& key = machine.slots[at->a];
  if (key.is_error()) [[unlikely]] {
    machine.slots[at->to] = key;
    const bool is_optional = at->count != 0 || machine.slots[at->b].is_true();
    return is_optional ? at->target() : machine.Charge(1, at->target());
  }
  return ReadInChain(machine, at, key);
}

Next ChainTest(Machine& machine, Next at) {
  if (!machine.slots[at->b].is_true()) return Test(machine, at);
  return ReadInChain(machine, at, machine.code.constants[at->a]);
}

Next ChainEnd(Machine& machine, Next at) {
  Value& place = machine.slots[at->to];
  if (machine.slots[at->b].is_true() && !place.is_error()) place = Wrap(machine.evaluation, place);
  return at + 1;
}

Next TestEnd(Machine& machine, Next at) {
  Value& place = machine.slots[at->to];
  if (place.is(ValueKind::Optional)) place = Value::Bool(place.optional() != nullptr);
  return at + 1;
}

}  // namespace plimsoll::cel::steps
