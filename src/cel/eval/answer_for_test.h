#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "cel/kubernetes.h"
#include "cel/library/libraries.h"
#include "cel/program.h"
#include "cel/render.h"

namespace plimsoll::cel {

/// Returns `value @cost` of an expression for the taint `gpu=42:NoSchedule`, or the error of
/// compiling or planning it. Supports cel.bind().
inline std::string Answer(std::string_view expression, std::uint64_t cost_limit = kCostLimit) {
  static const auto environment = [] {
    EnvironmentOptions options = TolerationEnvironment()->options();
    options.libraries.push_back(&kBindingsLibrary);
    return *Environment::Make(std::move(options));
  }();
  const auto compiled = environment->Compile(expression);
  if (!compiled.has_value()) return compiled.error().Text();
  const auto program = Program::Plan(*compiled, environment);
  if (!program.has_value()) return "plan: " + program.error();
  const std::array<Value, 3> fields{Value::String("gpu"), Value::String("42"),
                                    Value::String("NoSchedule")};
  const ObjectValue object(&kTaintType, fields.data());
  const Value taint = Value::Object(&object);
  Evaluation evaluation;
  const Outcome outcome = evaluation.Evaluate(**program, {&taint, 1}, cost_limit);
  return (outcome.value.is_error() ? "error: " : "") + Render(outcome.value) + " @" +
         std::to_string(outcome.cost);
}

struct AnswerCase {
  std::string_view expression;
  std::string_view answer;
};

/// Returns the expressions whose answers differ, with the actual answers.
inline std::string Differences(const std::vector<AnswerCase>& cases) {
  std::string differences;
  for (const AnswerCase& one : cases) {
    const std::string answer = Answer(one.expression);
    if (answer != one.answer) differences += std::string(one.expression) + " => " + answer + "\n";
  }
  return differences;
}

}  // namespace plimsoll::cel
