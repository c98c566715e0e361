#include <algorithm>

#include "cel/cost.h"
#include "cel/eval/access.h"
#include "cel/eval/signature.h"
#include "cel/eval/steps.h"
#include "cel/library/runtime_cost.h"

namespace plimsoll::cel::steps {
namespace {

std::string ComposeNotList(const ErrorValue& error) {
  return "internal error: interface conversion: " + GoTypeName(error.first()) +
         " is not traits.Lister: missing method Add";
}

std::string ComposeUnknown(const ErrorValue& error) {
  return "no such overload: " + std::string(error.text());
}

const Value* FindError(std::span<const Value> arguments) {
  for (const Value& argument : arguments) {
    if (argument.is_error()) [[unlikely]]
      return &argument;
  }
  return nullptr;
}

/// A call with a failed argument is charged as well.
std::uint64_t CostOf(const PlannedCall& call, std::span<const Value> arguments, Value result) {
  for (const RuntimeCost cost : call.costs) {
    const std::uint64_t found = cost(arguments, result);
    if (found != kNoCostRule) return found;
  }
  return 1;
}

template <class Answer>
Next Run(Machine& machine, Next at, Answer answer) {
  const PlannedCall& call = machine.code.calls[at->a];
  const std::span<const Value> arguments(machine.slots + at->to, call.arity);
  const Value* const error = FindError(arguments);
  const Value result = error != nullptr ? *error : answer(call, arguments);
  const std::uint64_t cost = CostOf(call, arguments, result);
  if (cost == kCostFailure) [[unlikely]] {
    return machine.Stop(machine.evaluation.FailLater(ComposeNotList, {}, arguments.back()));
  }
  machine.slots[at->to] = result;
  return machine.Charge(cost, at + 1);
}

Value Dispatch(Evaluation& evaluation, const PlannedCall& call, std::span<const Value> arguments) {
  for (const Overload* const overload : call.overloads) {
    const Function& function = *overload->function;
    if (function.implementation == nullptr) continue;
    if (overload->parameters.size() != arguments.size()) continue;
    if (function.unguarded || Fits(*overload, arguments)) {
      return function.implementation(evaluation, arguments.data());
    }
  }
  // Only an unchecked expression can call an undeclared function.
  if (call.overloads.empty()) return evaluation.FailLater(ComposeUnknown, call.name);
  return NoSuchSignature(evaluation, call.name, arguments);
}

}  // namespace

Next Call(Machine& machine, Next at) {
  return Run(machine, at, [&](const PlannedCall& call, std::span<const Value> arguments) {
    return call.implementation(machine.evaluation, arguments.data());
  });
}

Next CallGuarded(Machine& machine, Next at) {
  return Run(machine, at, [&](const PlannedCall& call, std::span<const Value> arguments) {
    if (!Fits(*call.overload, arguments)) {
      return NoSuchSignature(machine.evaluation, call.name, arguments);
    }
    return call.implementation(machine.evaluation, arguments.data());
  });
}

Next CallDynamic(Machine& machine, Next at) {
  return Run(machine, at, [&](const PlannedCall& call, std::span<const Value> arguments) {
    return Dispatch(machine.evaluation, call, arguments);
  });
}

Next CallPrepared(Machine& machine, Next at) {
  return Run(machine, at, [&](const PlannedCall& call, std::span<const Value> arguments) {
    return call.prepared.call(machine.evaluation, call.prepared.state, arguments.data());
  });
}

Next Equal(Machine& machine, Next at) {
  const Value& a = machine.slots[at->to];
  const Value& b = machine.slots[at->to + 1];
  if (a.is(ValueKind::String) && b.is(ValueKind::String)) [[likely]] {
    // No library overrides this cost: libraries only set costs of their own types.
    const std::uint64_t size = ShorterSize(a, b);
    machine.slots[at->to] = Value::Bool(a.text() == b.text());
    return machine.Charge(SizeCost(size, kTextCost), at + 1);
  }
  if (a.is(ValueKind::Int) && b.is(ValueKind::Int)) {
    machine.slots[at->to] = Value::Bool(a.as_int() == b.as_int());
    return machine.Charge(1, at + 1);
  }
  return Run(machine, at, [&](const PlannedCall&, std::span<const Value> arguments) {
    return machine.evaluation.Equal(arguments[0], arguments[1]);
  });
}

Next NotEqual(Machine& machine, Next at) {
  return Run(machine, at, [&](const PlannedCall&, std::span<const Value> arguments) {
    // Values that cannot be compared are not equal.
    return Value::Bool(!machine.evaluation.Equal(arguments[0], arguments[1]).is_true());
  });
}

Next InSet(Machine& machine, Next at) {
  Value& place = machine.slots[at->to];
  if (!place.is_error()) place = Value::Bool(machine.code.sets[at->a]->Contains(place));
  return at + 1;
}

Next Bail(Machine& machine, Next at) {
  const Value& argument = machine.slots[at->a];
  if (!argument.is_error()) [[likely]]
    return at + 1;
  machine.slots[at->to] = argument;
  return at->target();
}

}  // namespace plimsoll::cel::steps
