#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "cel/program.h"

/// The form in which programs run: a flat list of instructions over numbered slots. The planner
/// gives every sub-expression the slot of its result, so arguments of a call lie side by side and
/// nothing is pushed, popped or allocated. An instruction names its step by address; the step does
/// its work, adds its cost and answers where to go on.
namespace plimsoll::cel {

struct Machine;
struct Instruction;

/// Answers the next instruction, nullptr to stop.
using Step = const Instruction* (*)(Machine& machine, const Instruction* at);

/// What the fields other than `run` and `to` mean is said with each step, in steps.h.
struct Instruction {
  Step run = nullptr;
  std::uint32_t to = 0;  // slot of the result
  std::uint32_t a = 0;
  std::uint32_t b = 0;
  std::uint32_t count = 0;
  std::uint32_t cost = 0;  // what is always charged, one by one
  std::int32_t jump = 0;   // where to go instead of on, from here

  const Instruction* target() const { return this + jump; }
};
static_assert(sizeof(Instruction) == 32);

/// A function as one place of a program calls it.
struct PlannedCall {
  std::string_view name;
  std::uint32_t arity = 0;
  const Overload* overload = nullptr;  // nullptr: found among `overloads` when called
  Implementation implementation = nullptr;
  Prepared prepared = {};
  std::span<const RuntimeCost> costs = {};
  std::span<const Overload* const> overloads = {};
};

/// What Program::Plan makes.
class Code : public Program {
 public:
  std::vector<Instruction> instructions;
  std::vector<Value> constants;
  std::vector<PlannedCall> calls;
  std::vector<const MapValue*> sets;         // of `x in [constants]`
  std::vector<std::vector<bool>> optionals;  // of a literal: which of its parts stand as `?e`
  std::uint32_t slot_count = 1;

  std::shared_ptr<const Ast> ast;
  std::shared_ptr<const Environment> environment;
  /// Folded constants and prepared calls were made here and stay.
  Evaluation memory{256};

  /// Gives back what growing left over.
  void Shrink();
  std::size_t bytes() const override;
};

/// One run of a program.
struct Machine {
  Evaluation& evaluation;
  const Code& code;
  Value* slots;
  const Value* variables;
  std::uint64_t limit;
  std::uint64_t cost = 0;
  /// Why the program stopped before its end, if it did.
  Value stopped = {};

  /// Adds to the cost and goes on, or stops past the limit.
  const Instruction* Charge(std::uint64_t amount, const Instruction* next) {
    cost += amount;
    if (cost > limit) [[unlikely]]
      return Exceed();
    return next;
  }
  /// Likewise for a sum of ones, of which only the first past the limit counts.
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
