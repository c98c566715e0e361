#include <new>
#include <stdexcept>

#include "cel/eval/code.h"
#include "cel/limits.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

/// Some steps are free, and comparing nested lists costs no more than flat ones, so loops can do
/// much work at little cost. Sound expressions need less than two steps per unit of cost.
constexpr std::uint64_t kWorkPerCost = 10;
constexpr std::uint64_t kWorkMin = 1'000'000;

std::uint64_t WorkWorth(std::uint64_t cost) {
  const bool is_huge = cost > (UINT64_MAX - kWorkMin) / kWorkPerCost;
  return is_huge ? UINT64_MAX : cost * kWorkPerCost + kWorkMin;
}

}  // namespace

struct Evaluation::State {
  std::vector<Value> slots;
};

Evaluation::Evaluation(std::size_t bytes_first)
    : arena_(bytes_first), state_(std::make_unique<State>()) {
  arena_.set_bytes_max(kEvaluationBytesMax);
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
  thread_local std::uint64_t runs = 0;
  run_ = ++runs;
  work_allowed_ = work_left_ = WorkWorth(0);
  cost_ = &machine.cost;
  const Outcome outcome = Run(machine);
  work_allowed_ = work_left_ = UINT64_MAX;
  cost_ = nullptr;
  return outcome;
}

Outcome Evaluation::Run(Machine& machine) {
  try {
    const Instruction* at = machine.code.instructions.data();
    std::uint64_t steps_left = WorkWorth(machine.limit);
    for (; at != nullptr && steps_left != 0; --steps_left) at = at->run(machine, at);
    if (at != nullptr) throw TooMuchWork();
  } catch (const TooMuchWork&) {
    return Cancel("operation cancelled: work limit exceeded", machine.cost);
  } catch (const std::bad_alloc&) {
    return Cancel("operation cancelled: memory limit exceeded", machine.cost);
  } catch (const std::length_error&) {
    return Cancel("operation cancelled: memory limit exceeded", machine.cost);
  }
  if (machine.stopped.is_error()) return {machine.stopped, machine.cost};
  return {machine.slots[0], machine.cost};
}

void Evaluation::AllowWork(std::uint64_t work) {
  const std::uint64_t allowed = WorkWorth(*cost_);
  work_left_ += allowed - work_allowed_;
  work_allowed_ = allowed;
  if (work > work_left_) throw TooMuchWork();
}

Outcome Evaluation::Cancel(std::string_view why, std::uint64_t cost) {
  arena_.Reset();
  return {Fail(why), cost};
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
