#include <new>
#include <stdexcept>

#include "cel/eval/code.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

/// What one evaluation may hold. Costs do not see everything that grows: a text of 5,000 letters,
/// each replaced by 5,000 others, costs 1,000.
constexpr std::size_t kArenaBytesMax = 64u << 20;

}  // namespace

struct Evaluation::State {
  std::vector<Value> slots;
};

Evaluation::Evaluation() : state_(std::make_unique<State>()) {
  arena_.set_bytes_max(kArenaBytesMax);
}

Evaluation::~Evaluation() = default;

Outcome Evaluation::Evaluate(const Program& program, std::span<const Value> variables,
                             std::uint64_t cost_limit) {
  const auto& code = static_cast<const Code&>(program);
  arena_.Reset();
  if (state_->slots.size() < code.slot_count) state_->slots.resize(code.slot_count);
  Machine machine{.evaluation = *this,
                  .code = code,
                  .slots = state_->slots.data(),
                  .variables = variables.data(),
                  .limit = cost_limit};
  try {
    const Instruction* at = code.instructions.data();
    while (at != nullptr) at = at->run(machine, at);
  } catch (const std::bad_alloc&) {
    return OutOfMemory(machine.cost);
  } catch (const std::length_error&) {
    return OutOfMemory(machine.cost);
  }
  if (machine.stopped.is_error()) return {machine.stopped, machine.cost};
  return {machine.slots[0], machine.cost};
}

Outcome Evaluation::OutOfMemory(std::uint64_t cost) {
  arena_.Reset();
  return {Fail("operation cancelled: memory limit exceeded"), cost};
}

Value Evaluation::Fail(std::string_view message) { return FailLater(nullptr, message); }

Value Evaluation::FailCopied(std::string_view message) {
  return FailLater(nullptr, arena_.Copy(message));
}

Value Evaluation::FailLater(ErrorValue::Compose compose, std::string_view text, Value first,
                            Value second) {
  return Value::Error(new (arena_.Allocate<ErrorValue>(1))
                          ErrorValue(compose, text, first, second));
}

Value Evaluation::NoSuchOverload() { return Fail("no such overload"); }

}  // namespace plimsoll::cel
