#include <algorithm>

#include "cel/eval/steps.h"
#include "cel/plan/emitter.h"

// Slots of a comprehension: the range, the index in it, two variables, the accumulator. A lazy
// accumulator also has the flag "is computed" and the return slot. Temporaries follow.
namespace plimsoll::cel {
namespace {

constexpr Slot kFirstVariable = 2;
constexpr Slot kSecondVariable = 3;
constexpr Slot kAccumulatorSlot = 4;
constexpr Slot kIsMade = 5;
constexpr Slot kBack = 6;
constexpr Slot kLazyParts = 7;

bool IsEmptyList(const Value* value) {
  return value != nullptr && value->is(ValueKind::List) && value->elements().empty();
}

}  // namespace

void Emitter::EmitLoop(NodeId id, Slot to) {
  const Comprehension& loop = ast_.comprehension(ast_.node(id));
  const bool has_iterations = !IsEmptyList(folding_.constant(loop.range));
  Reserve(to + kBack);
  std::size_t begin = 0;
  if (has_iterations) {
    Emit(loop.range, to);
    begin = Add({.run = steps::LoopBegin, .to = to, .count = loop.iter2.empty() ? 1u : 2u});
  }
  const Value* const init = folding_.constant(loop.init);
  const bool is_list = IsEmptyList(init) && loop.accu == kAccumulator;
  Local accumulator{.name = loop.accu, .slot = to + kAccumulatorSlot, .is_list = is_list};
  Slot parts = to + kIsMade;
  if (init != nullptr) {
    Add({.run = steps::Constant, .to = accumulator.slot, .a = AddConstant(*init)});
  } else {
    accumulator.is_lazy = true;
    accumulator.is_made = to + kIsMade;
    accumulator.back = to + kBack;
    accumulator.start = here() + 2;
    parts = EmitLazy(loop, to);
  }
  if (has_iterations) EmitIterations(loop, accumulator, to, parts);
  locals_.push_back(accumulator);
  Emit(loop.result, parts);
  locals_.pop_back();
  Add({.run = steps::Move, .to = to, .a = parts});
  if (has_iterations) Land(begin);
}

/// Emits the code that computes an accumulator at its first use: cel.bind() evaluates its
/// variable only when it is needed. Returns the first slot that this code does not use,
/// because it may run at any time.
Slot Emitter::EmitLazy(const Comprehension& loop, Slot to) {
  Add({.run = steps::Defer, .a = to + kIsMade});
  const std::size_t over = Add({.run = steps::Jump});
  const Slot slots_before = std::exchange(code_.slot_count, to + kLazyParts);
  Emit(loop.init, to + kLazyParts);
  const Slot parts = code_.slot_count;
  code_.slot_count = std::max(slots_before, parts);
  Add({.run = steps::Move, .to = to + kAccumulatorSlot, .a = to + kLazyParts});
  Add({.run = steps::Return, .a = to + kIsMade, .b = to + kBack});
  Land(over);
  return parts;
}

/// all() continues while `@not_strictly_false(@result)`, exists() while the same holds for
/// `!@result`. Each becomes one step.
std::size_t Emitter::EmitLoopCondition(const Comprehension& loop, Slot to) {
  NodeId tested = loop.condition;
  if (Is(tested, "@not_strictly_false")) {
    tested = ast_.arguments(ast_.node(tested))[0];
    const bool is_negated = Is(tested, "!_");
    if (is_negated) tested = ast_.arguments(ast_.node(tested))[0];
    if (const Local* const local = FindPlainLocal(tested); local != nullptr) {
      return Add({.run = steps::LoopWhile,
                  .a = local->slot,
                  .count = is_negated ? 1u : 0u,
                  .cost = is_negated ? 3u : 2u});
    }
  }
  Emit(loop.condition, to);
  return Add({.run = steps::LoopTest, .to = to});
}

void Emitter::EmitIterations(const Comprehension& loop, const Local& accumulator, Slot to,
                             Slot parts) {
  const std::size_t locals_before = locals_.size();
  locals_.push_back({.name = loop.iter, .slot = to + kFirstVariable, .is_part = true});
  if (!loop.iter2.empty()) {
    locals_.push_back({.name = loop.iter2, .slot = to + kSecondVariable, .is_part = true});
  }
  locals_.push_back(accumulator);
  const std::size_t next =
      Add({.run = steps::LoopNext, .to = to, .count = loop.iter2.empty() ? 1u : 2u});
  std::vector<std::size_t> exits{next};
  const Value* const condition = folding_.constant(loop.condition);
  if (condition == nullptr || !condition->is_true()) {
    exits.push_back(EmitLoopCondition(loop, parts));
  }
  Emit(loop.step, parts);
  if (accumulator.is_lazy) {
    Add({.run = steps::Constant, .to = accumulator.is_made, .a = AddConstant(Value::Bool(true))});
  }
  const std::size_t step = Add({.run = steps::LoopStep, .to = accumulator.slot, .a = parts});
  code_.instructions[step].jump = static_cast<std::int32_t>(next) - static_cast<std::int32_t>(step);
  Land(exits);
  locals_.resize(locals_before);
}

}  // namespace plimsoll::cel
