#pragma once

#include "api/expression/toleration_expression.h"
#include "base/cache_metrics.h"

namespace plimsoll::apiserver {

/// Checks toleration expressions for validation, and counts hits and misses of their cache.
class MeteredExpressions final : public api::ExpressionChecker {
 public:
  explicit MeteredExpressions(MetricsRegistry& metrics)
      : counter_(metrics,
                 {.name = "apiserver_toleration_expression_cache_total",
                  .help = "Lookups of compiled toleration expressions: hit if it was in the "
                          "cache, miss if it was compiled."},
                 expressions_.counters()) {}

  std::optional<api::ExpressionFault> Check(std::string_view expression) const override {
    auto fault = expressions_.Check(expression);
    counter_.Update(expressions_.counters());
    return fault;
  }
  std::uint64_t CostMax(std::string_view expression) const override {
    const std::uint64_t cost = expressions_.CostMax(expression);
    counter_.Update(expressions_.counters());
    return cost;
  }

 private:
  const api::TolerationExpressions expressions_;
  mutable CacheMetrics counter_;
};

}  // namespace plimsoll::apiserver
