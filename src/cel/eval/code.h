#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "cel/program.h"

/// Executable form of programs: a flat list of instructions over numbered slots. The planner
/// assigns a slot to the result of each sub-expression. Arguments of a call are in adjacent slots,
/// so nothing is pushed, popped or allocated. An instruction holds a pointer to its step function,
/// which does the work, adds its cost and returns the next instruction.
namespace plimsoll::cel {

struct Machine;
struct Instruction;

/// Returns the next instruction, or nullptr to stop.
using Step = const Instruction* (*)(Machine& machine, const Instruction* at);

/// The meaning of the fields other than `run` and `to` depends on the step; see steps.h.
struct Instruction {
  Step run = nullptr;
  std::uint32_t to = 0;  // slot of the result
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t count = 0;
  std::uint32_t cost = 0;  // fixed cost, charged in units of one
  std::int32_t jump = 0;   // alternative next instruction, relative to this one

  const Instruction* target() const { return this + jump; }
};
static_assert(sizeof(Instruction) == 32);

/// A call at one place in a program.
struct PlannedCall {
  std::string_view name;
  std::uint32_t arity = 0;
  const Overload* overload = nullptr;  // nullptr: looked up in `overloads` at each call
  Implementation implementation = nullptr;
  Prepared prepared = {};
  std::span<const RuntimeCost> costs = {};
  std::span<const Overload* const> overloads = {};
};

/// The implementation of Program.
class Code : public Program {
 public:
  std::vector<Instruction> instructions;
  std::vector<Value> constants;
  std::vector<PlannedCall> calls;
  std::vector<const MapValue*> sets;         // for `x in [constants]`
  std::vector<std::vector<bool>> optionals;  // per literal: which parts are written as `?e`
  std::uint32_t slot_count = 1;

  std::shared_ptr<const Ast> ast;
  std::shared_ptr<const Environment> environment;
  /// Owns folded constants and prepared calls.
  Evaluation memory{256};

  /// Frees spare capacity.
  void Shrink();
  std::size_t bytes() const override;
};

/// State of one run of a program.
struct Machine {
  Evaluation& evaluation;
  const Code& code;
  Value* slots;
  const Value* variables;
  std::uint64_t limit;
  std::uint64_t cost = 0;
  /// Error that stopped the program early, if any.
  Value stopped = {};

  /// Adds to the cost. Returns `next`, or stops the program if the limit is exceeded.
  const Instruction* Charge(std::uint64_t amount, const Instruction* next) {
    cost += amount;
    if (cost > limit) [[unlikely]]
      return Exceed();
    return next;
  }
  /// Same as Charge, for a sum of ones: past the limit, only the first one over it counts.
  const Instruction* ChargeOnes(std::uint64_t amount, const Instruction* next) {
    cost += amount;
    if (cost > limit) [[unlikely]] {
      cost = limit + 1;
      return Exceed();
    }
    return next;
  }
  const Instruction* Exceed() {
    return Stop(evaluation.Fail("operation cancelled: actual cost limit exceeded"));
  }
  const Instruction* Stop(const Value& error) {
    stopped = error;
    return nullptr;
  }
};

}  // namespace plimsoll::cel
