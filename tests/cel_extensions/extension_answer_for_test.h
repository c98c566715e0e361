#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cel/environment.h"
#include "cel/program.h"
#include "cel/render.h"
#include "cel_extensions/extensions.h"

namespace plimsoll::cel {

/// Evaluates an expression in an environment with the extensions that Kubernetes does not enable.
inline std::string ExtensionAnswer(std::string_view expression) {
  static const auto environment = *Environment::Make(
      {.libraries = {&kStandardOperatorsLibrary, &kStandardConversionsLibrary,
                     &kStandardTextLibrary, &kStandardTimeLibrary, &kStringsLatestLibrary,
                     &kMathLibrary, &kEncodersLibrary, &kBlockLibrary},
       .homogeneous_literals = false});
  const auto compiled = environment->Compile(expression);
  if (!compiled.has_value()) return compiled.error().list[0].message;
  const auto program = Program::Plan(*compiled, environment);
  if (!program.has_value()) return "plan: " + program.error();
  Evaluation evaluation;
  const Value value = evaluation.Evaluate(**program, {}).value;
  return (value.is_error() ? "error: " : "") + Render(value);
}

struct ExtensionCase {
  std::string_view expression;
  std::string_view answer;
};

/// Returns the expressions whose answers differ, with the actual answers.
inline std::string ExtensionDifferences(const std::vector<ExtensionCase>& cases) {
  std::string differences;
  for (const ExtensionCase& one : cases) {
    const std::string answer = ExtensionAnswer(one.expression);
    if (answer != one.answer) differences += std::string(one.expression) + " => " + answer + "\n";
  }
  return differences;
}

}  // namespace plimsoll::cel
