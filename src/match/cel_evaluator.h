#pragma once

#include <atomic>

#include "api/expression/toleration_expression.h"
#include "base/cache_metrics.h"
#include "match/rules.h"

namespace plimsoll::match {

/// Evaluates the `expression` of tolerations with CEL. `expressions` must outlive it.
class CelEvaluator final : public ExpressionEvaluator {
 public:
  explicit CelEvaluator(const api::TolerationExpressions& expressions)
      : expressions_(expressions) {}

  Result<bool> Evaluate(std::string_view expression, const api::Taint& taint) const override {
    std::uint64_t cost = 0;
    return EvaluateCounted(expression, taint, cost);
  }
  Result<bool> EvaluateCounted(std::string_view expression, const api::Taint& taint,
                               std::uint64_t& cost) const override {
    Result<bool> answer = expressions_.Evaluate(expression, taint, &cost);
    if (CacheMetrics* const metrics = metrics_.load()) metrics->Update(expressions_.counters());
    return answer;
  }

  const api::TolerationExpressions& expressions() const { return expressions_; }

  /// Sets the metrics to update after each evaluation; null for none.
  void SetMetrics(CacheMetrics* metrics) { metrics_ = metrics; }

 private:
  const api::TolerationExpressions& expressions_;
  std::atomic<CacheMetrics*> metrics_ = nullptr;
};

}  // namespace plimsoll::match
