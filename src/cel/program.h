#pragma once

#include <cstdint>
#include <exception>
#include <expected>
#include <memory>
#include <span>
#include <string>

#include "cel/arena.h"
#include "cel/environment.h"
#include "cel/limits.h"
#include "cel/value.h"

namespace plimsoll::cel {

struct Machine;

/// An executable expression. Immutable: any number of threads may evaluate it at once.
/// An interface, because callers need no headers of the engine that executes it.
class Program {
 public:
  /// Folds constants, prepares calls and generates code. Fails with upstream's text for a
  /// constant conversion or regular expression that always fails. The program keeps the
  /// environment and the expression alive.
  static std::expected<std::shared_ptr<const Program>, std::string> Plan(
      const Compiled& compiled, std::shared_ptr<const Environment> environment);
  virtual ~Program() = default;

  /// Returns the approximate memory size, without the expression it was planned from.
  virtual std::size_t bytes() const = 0;
};

/// Result and cost of an evaluation. The value lives in the evaluation's arena, the program or the
/// host's values. An error is a value of kind Error; the cost counts up to the error.
struct Outcome {
  Value value;
  std::uint64_t cost = 0;
};

struct TooMuchWork : std::exception {
  const char* what() const noexcept override { return "too much work"; }
};

/// Evaluator for one thread: an arena and stacks that are reused between evaluations. The result of
/// Evaluate is invalid after the next call.
class Evaluation {
 public:
  /// `bytes_first`: initial size of the arena.
  explicit Evaluation(std::size_t bytes_first = 4096);
  ~Evaluation();
  Evaluation(const Evaluation&) = delete;
  Evaluation& operator=(const Evaluation&) = delete;

  /// Takes `variables` in the order of the environment's. Returns the error `operation cancelled:
  /// actual cost limit exceeded` if the cost exceeds `cost_limit`.
  Outcome Evaluate(const Program& program, std::span<const Value> variables,
                   std::uint64_t cost_limit = kCostLimit);

  // For implementations of functions.

  Arena& arena() { return arena_; }
  const Arena& arena() const { return arena_; }
  Value Text(std::string_view text) { return Value::String(arena_.Copy(text)); }
  /// Returns an error with this message, which must be a literal: it is not copied.
  Value Fail(std::string_view message);
  Value FailCopied(std::string_view message);
  /// Returns an error whose message is composed only when it is read.
  Value FailLater(ErrorValue::Compose compose, std::string_view text, Value first = {},
                  Value second = {});
  /// Returns the error `no such overload`.
  Value NoSuchOverload();
  /// Implements `==`: a Bool, or an error if some pair of elements cannot be compared.
  Value Equal(const Value& a, const Value& b);
  /// Implements `<`: Int -1, 0 or 1, or upstream's error for values without an order.
  Value Compare(const Value& a, const Value& b);
  /// Number of the current run of Evaluate, unique within the thread.
  std::uint64_t run() const { return run_; }
  /// Accounts for work that costs do not cover, such as comparing nested lists. A unit is worth a
  /// few nanoseconds. Throws TooMuchWork when the work is out of proportion to the cost so far,
  /// which ends the evaluation with an error.
  void Spend(std::uint64_t work) {
    if (work > work_left_) [[unlikely]]
      AllowWork(work);
    work_left_ -= work;
  }
  /// Same as Spend, for bytes that are counted, compared or copied in bulk.
  void SpendOnBytes(std::size_t bytes) { Spend(bytes / kBytesPerWork); }

 private:
  static constexpr std::size_t kBytesPerWork = 64;

  struct State;
  /// Increases the allowance according to the current cost; throws if it stays less than `work`.
  void AllowWork(std::uint64_t work);
  Outcome Run(Machine& machine);
  Outcome Cancel(std::string_view why, std::uint64_t cost);

  Arena arena_;
  // No limits apply unless a program is running.
  const std::uint64_t* cost_ = nullptr;
  std::uint64_t work_allowed_ = UINT64_MAX;
  std::uint64_t work_left_ = UINT64_MAX;
  std::uint64_t run_ = 0;
  std::unique_ptr<State> state_;
};

}  // namespace plimsoll::cel
