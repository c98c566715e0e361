#include "api/expression/toleration_expression.h"

#include <array>
#include <string>

#include "cel/kubernetes.h"
#include "cel/render.h"

namespace plimsoll::api {
namespace {

using Stage = cel::Compilation::Stage;

/// A type that is known only at run time may be a boolean.
bool MayBeBool(const cel::Type* type) {
  return type == cel::types::kBool || type == cel::types::kDyn || type == cel::types::kAny;
}

}  // namespace

std::optional<ExpressionFault> FaultOf(const cel::Compilation& compiled) {
  using Kind = ExpressionFault::Kind;
  if (compiled.stage == Stage::Compile) {
    return ExpressionFault{Kind::Invalid, "compilation failed: " + compiled.error};
  }
  if (!MayBeBool(compiled.type)) {
    return ExpressionFault{Kind::Invalid, "must evaluate to bool or the unknown type, not " +
                                              cel::OutputText(compiled.type)};
  }
  if (compiled.stage == Stage::Plan) {
    return ExpressionFault{Kind::Internal, "program instantiation failed: " + compiled.error};
  }
  if (compiled.cost.max > cel::kCostLimit) return ExpressionFault{Kind::TooCostly, {}};
  return std::nullopt;
}

TolerationExpressions::TolerationExpressions(CacheLimits limits)
    : cache_(cel::TolerationEnvironment(), limits) {}

std::optional<ExpressionFault> TolerationExpressions::Check(std::string_view expression) const {
  return FaultOf(*cache_.Get(expression));
}

std::uint64_t TolerationExpressions::CostMax(std::string_view expression) const {
  return cache_.Get(expression)->cost.max;
}

Result<bool> TolerationExpressions::Evaluate(std::string_view expression, const Taint& taint,
                                             std::uint64_t* cost) const {
  const auto compiled = cache_.Get(expression);
  if (compiled->stage != Stage::Done) return Fail(Reason::Invalid, compiled->error);
  // Reuses its arena and stacks, whose setup dominates the cost of a short expression.
  thread_local cel::Evaluation evaluation;
  const std::array fields{cel::Value::String(taint.key), cel::Value::String(taint.value),
                          cel::Value::String(taint.effect)};
  const cel::ObjectValue object(&cel::kTaintType, fields.data());
  const cel::Value variable = cel::Value::Object(&object);
  const cel::Outcome outcome = evaluation.Evaluate(*compiled->program, {&variable, 1});
  if (cost != nullptr) *cost += outcome.cost;
  if (outcome.value.is_error()) return Fail(Reason::Invalid, outcome.value.error().Text());
  if (!outcome.value.is(cel::ValueKind::Bool)) {
    return Fail(Reason::Invalid, "expected bool, got " + cel::Render(outcome.value));
  }
  return outcome.value.as_bool();
}

}  // namespace plimsoll::api
