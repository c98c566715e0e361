#include "cli/evaluator.h"

#include "api/expression/toleration_expression.h"

namespace plimsoll::cli {

const api::TolerationExpressions& SharedExpressions() {
  static const api::TolerationExpressions kExpressions;
  return kExpressions;
}

const match::CelEvaluator& SharedEvaluator() {
  static const match::CelEvaluator kEvaluator(SharedExpressions());
  return kEvaluator;
}

}  // namespace plimsoll::cli
