#include "cel/eval/access.h"
#include "cel/eval/mapping.h"
#include "cel/eval/steps.h"

namespace plimsoll::cel::steps {
namespace {

std::string ComposeNotIterable(const ErrorValue& error) {
  return "got '" + GoTypeName(error.first()) + "', expected iterable type";
}

std::string ComposeNotFoldable(const ErrorValue& error) {
  return "unsupported comprehension range type: " + GoTypeName(error.first());
}

}  // namespace

Next LoopBegin(Machine& machine, Next at) {
  Value& range = machine.slots[at->to];
  machine.slots[at->to + 1] = Value::Int(0);
  if (range.is(ValueKind::List) || IsMapping(range)) [[likely]]
    return at + 1;
  if (!range.is_error()) {
    const auto compose = at->count == 2 ? ComposeNotFoldable : ComposeNotIterable;
    range = machine.evaluation.FailLater(compose, {}, range);
  }
  return at->target();
}

Next LoopNext(Machine& machine, Next at) {
  Value* const slots = machine.slots + at->to;
  const Value& range = slots[0];
  const auto place = static_cast<std::size_t>(slots[1].as_int());
  if (range.is(ValueKind::List)) {
    if (place >= range.elements().size()) return at->target();
    if (at->count == 2) {
      slots[2] = slots[1];
      slots[3] = range.elements()[place];
    } else {
      slots[2] = range.elements()[place];
    }
  } else {
    if (place >= MappingSize(range)) return at->target();
    slots[2] = MappingKey(range, place);
    if (at->count == 2) slots[3] = MappingValue(range, place);
  }
  slots[1] = Value::Int(slots[1].as_int() + 1);
  return at + 1;
}

Next LoopWhile(Machine& machine, Next at) {
  const Value& accumulator = machine.slots[at->a];
  const bool is_over = accumulator.is(ValueKind::Bool) && accumulator.as_bool() == (at->count != 0);
  return machine.ChargeOnes(at->cost, is_over ? at->target() : at + 1);
}

Next LoopTest(Machine& machine, Next at) {
  // Only a plain `false` ends the loop: after a failed condition, the step returns the error.
  return machine.slots[at->to].is_false() ? at->target() : at + 1;
}

Next LoopStep(Machine& machine, Next at) {
  machine.slots[at->to] = machine.slots[at->a];
  return at->target();
}

}  // namespace plimsoll::cel::steps
