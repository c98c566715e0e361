#include <algorithm>
#include <array>

#include "cel/cost.h"
#include "cel/eval/signature.h"
#include "cel/eval/steps.h"
#include "cel/plan/emitter.h"

namespace plimsoll::cel {

void Emitter::EmitCall(NodeId id, Slot to) {
  if (!EmitOperator(id, to)) EmitPlainCall(id, to, StepOf(id));
}

/// Emits calls with special evaluation rules. Returns false for ordinary calls.
bool Emitter::EmitOperator(NodeId id, Slot to) {
  const std::string_view name = ast_.node(id).name;
  if (name == "_&&_") {
    EmitLogic(id, to, {steps::AndLeft, steps::LocalAndLeft, steps::AndRight});
  } else if (name == "_||_") {
    EmitLogic(id, to, {steps::OrLeft, steps::LocalOrLeft, steps::OrRight});
  } else if (name == "_==_") {
    EmitPlainCall(id, to, steps::Equal);
  } else if (name == "_!=_") {
    EmitPlainCall(id, to, steps::NotEqual);
  } else if (name == "!_") {
    Emit(ast_.arguments(ast_.node(id))[0], to);
    Add({.run = steps::Not, .to = to});
  } else if (name == "@not_strictly_false" || name == "__not_strictly_false__") {
    Emit(ast_.arguments(ast_.node(id))[0], to);
    Add({.run = steps::NotStrictlyFalse, .to = to});
  } else if (folding_.sets[id] != nullptr) {
    Emit(ast_.arguments(ast_.node(id))[0], to);
    code_.sets.push_back(folding_.sets[id]);
    Add({.run = steps::InSet, .to = to, .a = static_cast<std::uint32_t>(code_.sets.size() - 1)});
  } else if ((name == "or" || name == "orValue") && CallArguments(ast_, id).size() == 2) {
    EmitOrElse(id, to, name == "orValue");
  } else {
    return EmitAppend(id, to);
  }
  return true;
}

void Emitter::EmitLogic(NodeId id, Slot to, const LogicSteps& steps) {
  const std::span<const NodeId> arguments = ast_.arguments(ast_.node(id));
  std::vector<std::size_t> decided;
  // Saves a step for `@result || p` in every iteration of exists().
  const Local* const local = FindPlainLocal(arguments[0]);
  if (local != nullptr) {
    decided.push_back(Add({.run = steps.local_left, .to = to, .a = local->slot, .cost = 1}));
  } else {
    Emit(arguments[0], to);
    decided.push_back(Add({.run = steps.left, .to = to}));
  }
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    if (i > 1) decided.push_back(Add({.run = steps.left, .to = to}));
    Emit(arguments[i], to + 1);
    Add({.run = steps.right, .to = to, .a = to + 1});
  }
  Land(decided);
}

void Emitter::EmitConditional(NodeId id, Slot to) {
  const std::span<const NodeId> arguments = ast_.arguments(ast_.node(id));
  Emit(arguments[0], to);
  const std::size_t branch = Add({.run = steps::Branch, .to = to});
  EmitUncharged(arguments[1], to);
  const std::size_t over = Add({.run = steps::Jump});
  Land(branch);
  EmitUncharged(arguments[2], to);
  Land(over);
  code_.instructions[branch].b = static_cast<std::uint32_t>(here() - branch);
}

/// or() and orValue() are free, and evaluate their argument only when needed.
void Emitter::EmitOrElse(NodeId id, Slot to, bool takes_value) {
  const std::vector<NodeId> arguments = CallArguments(ast_, id);
  Emit(arguments[0], to);
  const std::size_t decided = Add({.run = steps::OrElse, .to = to, .count = takes_value ? 1u : 0u});
  Emit(arguments[1], to);
  Land(decided);
}

/// `@result + [x]`, the expansion of map and filter, would copy the list for every element.
bool Emitter::EmitAppend(NodeId id, Slot to) {
  if (!Is(id, "_+_")) return false;
  const std::span<const NodeId> arguments = ast_.arguments(ast_.node(id));
  const Node& list = ast_.node(arguments[0]);
  const Node& added = ast_.node(arguments[1]);
  if (list.kind != NodeKind::Ident || list.name != kAccumulator) return false;
  if (added.kind != NodeKind::List || added.count != 1) return false;
  const NodeId element = ast_.arguments(added)[0];
  const Local* const local = FindLocal(list.name);
  if (local == nullptr || !local->is_list || ast_.node(element).is_optional) return false;
  const Slot accumulator = local->slot;  // emitting invalidates `local`
  Add({.run = steps::Charge, .cost = 1});
  Emit(element, to + 1);
  const bool is_constant = folding_.constant(arguments[1]) != nullptr;
  Add({.run = steps::Append,
       .to = to,
       .a = accumulator,
       .b = to + 1,
       .cost = is_constant ? 0 : static_cast<std::uint32_t>(kListCost)});
  return true;
}

// With up to two arguments upstream evaluates all of them, then looks for errors. With more, or if
// the call is prepared, the first error ends it, and the call costs nothing.
void Emitter::EmitPlainCall(NodeId id, Slot to, Step run) {
  const std::vector<NodeId> arguments = CallArguments(ast_, id);
  const bool bails = arguments.size() > 2 || run == steps::CallPrepared;
  std::vector<std::size_t> exits;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const Slot slot = to + static_cast<Slot>(i);
    Emit(arguments[i], slot);
    if (bails && CanFail(arguments[i]) && i + 1 < arguments.size()) {
      exits.push_back(Add({.run = steps::Bail, .to = to, .a = slot}));
    }
  }
  Add({.run = run, .to = to, .a = AddCall(id)});
  Land(exits);
}

Step Emitter::StepOf(NodeId id) const {
  if (folding_.prepared[id].call != nullptr) return steps::CallPrepared;
  const std::span<const Overload* const> candidates = ast_.overloads_of(id);
  if (candidates.size() != 1) return steps::CallDynamic;
  const Overload& overload = *candidates[0];
  if (overload.function->implementation == nullptr) return steps::CallDynamic;
  if (overload.function->unguarded) return steps::Call;
  const std::vector<NodeId> arguments = CallArguments(ast_, id);
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (!AlwaysFits(ast_.types[arguments[i]], overload.parameters[i])) return steps::CallGuarded;
  }
  return steps::Call;
}

std::uint32_t Emitter::AddCall(NodeId id) {
  const Node& node = ast_.node(id);
  const std::span<const Overload* const> candidates = ast_.overloads_of(id);
  PlannedCall call{.name = node.name,
                   .arity = node.count + (node.operand == kNoNode ? 0 : 1),
                   .prepared = folding_.prepared[id]};
  if (candidates.size() == 1) {
    call.overload = candidates[0];
    call.implementation = candidates[0]->function->implementation;
    call.costs = candidates[0]->runtime_costs;
  } else if (const FunctionSet* const all = environment_.FindFunction(node.name); all != nullptr) {
    call.overloads = all->overloads;
    call.costs = all->runtime_costs;
  }
  code_.calls.push_back(call);
  return static_cast<std::uint32_t>(code_.calls.size() - 1);
}

}  // namespace plimsoll::cel
