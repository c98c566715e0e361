#pragma once

#include "api/expression/toleration_expression.h"
#include "match/rules.h"

namespace plimsoll::match {

/// Evaluates the `expression` of tolerations with CEL. `expressions` must outlive it.
class CelEvaluator final : public ExpressionEvaluator {
 public:
  explicit CelEvaluator(const api::TolerationExpressions& expressions)
      : expressions_(expressions) {}

  Result<bool> Evaluate(std::string_view expression, const api::Taint& taint) const override {
    return expressions_.Evaluate(expression, taint);
  }
  Result<bool> EvaluateCounted(std::string_view expression, const api::Taint& taint,
                               std::uint64_t& cost) const override {
    return expressions_.Evaluate(expression, taint, &cost);
  }

  CacheCounters counters() const { return expressions_.counters(); }

 private:
  const api::TolerationExpressions& expressions_;
};

}  // namespace plimsoll::match
