// Compares with upstream's CEL compiler: compile errors with position and text, type of the result,
// static cost, and value and cost for each input.

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "cel/kubernetes.h"
#include "cel/program.h"
#include "cel_cases.h"
#include "cel_values.h"
#include "golden.h"

namespace plimsoll::golden {
namespace {

using codec::Value;

std::string Place(const cel::Location& at) {
  return std::to_string(at.line) + ":" + std::to_string(at.column + 1);
}

std::string Place(const Value& error) {
  return NumberText(error.Find("line")) + ":" + NumberText(error.Find("col"));
}

Mismatch DifferIssues(const Value& one, const Value& want, const cel::Issues& got) {
  if (HasTag(one, "upstream-panic")) return std::nullopt;
  const auto errors = want.Find("errors")->items();
  if (auto mismatch = Differ("first place", Place(errors[0]), Place(got.LocationOf(got.list[0])))) {
    return mismatch;
  }
  // Error texts of upstream's parser generator differ, and authorizer names are not declared here.
  if (HasTag(one, "antlr-text") || HasTag(one, "authz")) return std::nullopt;
  if (TextOf(want.Find("stage")) == "panic") return std::nullopt;
  const bool is_parse = got.stage == cel::Issues::Stage::Parse;
  if (auto mismatch = Differ("stage", TextOf(want.Find("stage")), is_parse ? "parse" : "check")) {
    return mismatch;
  }
  return Differ("text", TextOf(want.Find("text")), got.Text());
}

/// Compares one recorded result. Where upstream's own results vary, the record has several values
/// and a range of costs.
Mismatch DifferResult(const Value& one, const Value& want, const cel::Outcome& got) {
  const bool is_error = got.value.is_error();
  if (const Value* const error = want.Find("error")) {
    if (!is_error) return "want error " + std::string(TextOf(error)) + ", got a value";
    const bool any_text = HasTag(one, "upstream-internal-error") || HasTag(one, "authz");
    if (!any_text) {
      if (auto mismatch = Differ("error", TextOf(error), got.value.error().Text())) return mismatch;
    }
  } else if (const Value* const value = want.Find("value")) {
    if (auto mismatch = Differ("value", EncodedValueText(*value), ValueText(got.value))) {
      return mismatch;
    }
  } else if (const Value* const choice = want.Find("any_of")) {
    const std::string text = ValueText(got.value);
    const bool is_known = std::ranges::any_of(
        choice->items(), [&](const Value& item) { return EncodedValueText(item) == text; });
    if (!is_known) return "unexpected value " + text;
  }
  return DifferCost(want, got.cost);
}

/// The variable `taint`, made from a taint in the file's header.
class TaintVariable {
 public:
  explicit TaintVariable(const Value& taint)
      : fields_{cel::Value::String(TextOf(taint.Find("key"))),
                cel::Value::String(TextOf(taint.Find("value"))),
                cel::Value::String(TextOf(taint.Find("effect")))},
        object_(&cel::kTaintType, fields_.data()),
        value_(cel::Value::Object(&object_)) {}
  std::span<const cel::Value> variables() const { return {&value_, 1}; }

 private:
  std::array<cel::Value, 3> fields_;
  cel::ObjectValue object_;
  cel::Value value_;
};

Mismatch CheckTolerationResults(const Value& header, const Value& one,
                                const cel::Compiled& compiled) {
  const Value& want = *one.Find("compile");
  const auto program = cel::Program::Plan(compiled, cel::TolerationEnvironment());
  const bool wants_ok = want.Find("ok")->AsBool();
  if (!program) {
    if (wants_ok) return "plan: " + program.error();
    if (TextOf(want.Find("stage")) == "panic") return std::nullopt;
    return Differ("text", TextOf(want.Find("text")), program.error());
  }
  if (!wants_ok) return "plans, but should fail with " + std::string(TextOf(want.Find("text")));
  const Value* const results = one.Find("results");
  if (results == nullptr) return std::nullopt;
  cel::Evaluation evaluation;
  for (const Value& result : results->items()) {
    const auto number = static_cast<std::size_t>(result.Find("taint")->AsInt());
    const TaintVariable taint(header.Find("taints")->items()[number]);
    const cel::Outcome outcome = evaluation.Evaluate(**program, taint.variables());
    if (auto mismatch = DifferResult(one, result, outcome)) {
      return "taint " + std::to_string(number) + ": " + *mismatch;
    }
  }
  return std::nullopt;
}

Mismatch CheckToleration(const Value& header, const Value& one) {
  const Value& want = *one.Find("compile");
  const auto& environment = cel::TolerationEnvironment();
  const std::string_view stage = TextOf(want.Find("stage"));
  const auto compiled = environment->Compile(TextOf(one.Find("expr")));
  const bool fails_later = stage == "program" || stage == "panic";
  const bool wants_ok = want.Find("ok")->AsBool() || fails_later;
  if (!compiled) {
    if (wants_ok && stage != "panic") return "compile: " + compiled.error().Text();
    return DifferIssues(one, want, compiled.error());
  }
  if (!wants_ok) return "compiles, but should fail with " + std::string(TextOf(want.Find("text")));
  if (const Value* const type = want.Find("type")) {
    if (auto mismatch = Differ("type", TextOf(type), cel::OutputText(compiled->type))) {
      return mismatch;
    }
  }
  if (auto mismatch = CheckTolerationResults(header, one, *compiled)) return mismatch;
  const Value* const estimate = one.Find("estimate");
  if (estimate == nullptr) return std::nullopt;
  const cel::CostRange cost = environment->EstimateCost(*compiled->ast);
  return Differ("estimate",
                NumberText(estimate->Find("min")) + " to " + NumberText(estimate->Find("max")),
                std::to_string(cost.min) + " to " + std::to_string(cost.max));
}

}  // namespace

std::span<const FormatCheck> CelChecks() {
  static constexpr std::array kChecks{
      FormatCheck{.format = "cel-k8s-eval/1", .run = CheckToleration},
      FormatCheck{.format = "cel-k8s-dra/1", .run = CheckDevice},
  };
  return kChecks;
}

}  // namespace plimsoll::golden
