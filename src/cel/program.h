#pragma once

#include <cstdint>
#include <exception>
#include <expected>
#include <memory>
#include <span>
#include <string>

#include "cel/arena.h"
#include "cel/environment.h"
#include "cel/value.h"

namespace plimsoll::cel {

struct Machine;

/// An expression ready to run. Immutable: any number of threads may evaluate it at once.
class Program {
 public:
  /// Folds what is constant, prepares calls, lays out the code. The error is upstream's text for a
  /// constant conversion or regular expression that can only fail. The program keeps the
  /// environment and the expression alive.
  static std::expected<std::shared_ptr<const Program>, std::string> Plan(
      const Compiled& compiled, std::shared_ptr<const Environment> environment);
  virtual ~Program() = default;

  /// About how much memory it holds, without the expression it was planned from.
  virtual std::size_t bytes() const = 0;
};

/// The result, which lives in the evaluation's arena, the program or the host's values, and what it
/// took. An error is a value of kind Error; the cost counts up to where it stopped.
struct Outcome {
  Value value;
  std::uint64_t cost = 0;
};

inline constexpr std::uint64_t kCostLimit = 1'000'000;

struct TooMuchWork : std::exception {
  const char* what() const noexcept override { return "too much work"; }
};

/// One thread's place to evaluate in: an arena and stacks that stay warm from one evaluation to the
/// next. What Evaluate returned is gone with the next call.
class Evaluation {
 public:
  /// `bytes_first`: what the arena begins with.
  explicit Evaluation(std::size_t bytes_first = 4096);
  ~Evaluation();
  Evaluation(const Evaluation&) = delete;
  Evaluation& operator=(const Evaluation&) = delete;

  /// `variables` in the order of the environment's. Past `cost_limit` the answer is the error
  /// `operation cancelled: actual cost limit exceeded`.
  Outcome Evaluate(const Program& program, std::span<const Value> variables,
                   std::uint64_t cost_limit = kCostLimit);

  // For implementations of functions.

  Arena& arena() { return arena_; }
  const Arena& arena() const { return arena_; }
  Value Text(std::string_view text) { return Value::String(arena_.Copy(text)); }
  /// The error with this message; a literal is not copied.
  Value Fail(std::string_view message);
  Value FailCopied(std::string_view message);
  /// An error whose message is put together only when somebody reads it.
  Value FailLater(ErrorValue::Compose compose, std::string_view text, Value first = {},
                  Value second = {});
  /// `no such overload`
  Value NoSuchOverload();
  /// `==`: a Bool, or an error where some pair inside cannot be compared.
  Value Equal(const Value& a, const Value& b);
  /// `<`: Int -1, 0 or 1, or the error of upstream for what has no order.
  Value Compare(const Value& a, const Value& b);
  /// Of the present run of Evaluate: no other of this thread has the same.
  std::uint64_t run() const { return run_; }
  /// Accounts for work that costs do not see, such as the elements of lists inside lists that are
  /// compared; a unit is worth some nanoseconds. Throws TooMuchWork when it is out of all
  /// proportion to the cost so far, which ends the evaluation with an error.
  void Spend(std::uint64_t work) {
    if (work > work_left_) [[unlikely]]
      AllowWork(work);
    work_left_ -= work;
  }
  /// Likewise for bytes that are counted, compared or copied, many at a time.
  void SpendOnBytes(std::size_t bytes) { Spend(bytes / kBytesPerWork); }

 private:
  static constexpr std::size_t kBytesPerWork = 64;

  struct State;
  /// Allows what the cost has become worth meanwhile; throws when that is less than `work`.
  void AllowWork(std::uint64_t work);
  Outcome Run(Machine& machine);
  Outcome Cancel(std::string_view why, std::uint64_t cost);

  Arena arena_;
  // Without a program that runs, nothing is counted.
  const std::uint64_t* cost_ = nullptr;
  std::uint64_t work_allowed_ = UINT64_MAX;
  std::uint64_t work_left_ = UINT64_MAX;
  std::uint64_t run_ = 0;
  std::unique_ptr<State> state_;
};

}  // namespace plimsoll::cel
