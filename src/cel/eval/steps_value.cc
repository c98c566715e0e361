#include "cel/eval/steps.h"

namespace plimsoll::cel::steps {

Next Constant(Machine& machine, Next at) {
  machine.slots[at->to] = machine.code.constants[at->a];
  return at + 1;
}

Next Variable(Machine& machine, Next at) {
  machine.slots[at->to] = machine.variables[at->a];
  return machine.ChargeOnes(at->cost, at + 1);
}

Next Local(Machine& machine, Next at) {
  machine.slots[at->to] = machine.slots[at->a];
  return machine.ChargeOnes(at->cost, at + 1);
}

Next Move(Machine& machine, Next at) {
  machine.slots[at->to] = machine.slots[at->a];
  return at + 1;
}

Next Charge(Machine& machine, Next at) { return machine.ChargeOnes(at->cost, at + 1); }

Next Refund(Machine& machine, Next at) {
  --machine.cost;
  return at + 1;
}

Next Jump(Machine&, Next at) { return at->target(); }

Next Finish(Machine&, Next) { return nullptr; }

Next Defer(Machine& machine, Next at) {
  machine.slots[at->a] = Value::Bool(false);
  return at + 1;
}

Next Force(Machine& machine, Next at) {
  if (machine.slots[at->a].is_true()) return at + 1;
  machine.slots[at->b] = Value::Int(at + 1 - machine.code.instructions.data());
  return at->target();
}

Next Return(Machine& machine, Next at) {
  machine.slots[at->a] = Value::Bool(true);
  return machine.code.instructions.data() + machine.slots[at->b].as_int();
}

}  // namespace plimsoll::cel::steps
