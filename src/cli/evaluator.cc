#include "cli/evaluator.h"

#include "api/expression/toleration_expression.h"

namespace plimsoll::cli {

const match::CelEvaluator& SharedEvaluator() {
  static const api::TolerationExpressions kExpressions;
  static const match::CelEvaluator kEvaluator(kExpressions);
  return kEvaluator;
}

}  // namespace plimsoll::cli
