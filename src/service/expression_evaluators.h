#pragma once

#include <cstdint>
#include <string_view>

#include "base/cache_metrics.h"
#include "base/metrics.h"
#include "match/cel_evaluator.h"

namespace plimsoll::service {

/// Components that evaluate expressions of tolerations. Each has its own cache of compiled
/// expressions, even in one process, so that no component evicts entries of the others.
enum class ExpressionUser : std::uint8_t { CommandLine, Scheduler, ControllerManager, Kubelet };

const api::TolerationExpressions& ExpressionsOf(ExpressionUser user);

/// Returns an evaluator that uses the cache of `user`.
const match::ExpressionEvaluator& EvaluatorOf(ExpressionUser user);

/// Exports the counters of a component's cache as `<component>_toleration_expression_cache_total`
/// during its lifetime. Must outlive all evaluating threads. At most one instance per user.
class ExpressionCacheMetrics {
 public:
  ExpressionCacheMetrics(MetricsRegistry& metrics, ExpressionUser user);
  ~ExpressionCacheMetrics();
  ExpressionCacheMetrics(const ExpressionCacheMetrics&) = delete;
  ExpressionCacheMetrics& operator=(const ExpressionCacheMetrics&) = delete;

 private:
  const ExpressionUser user_;
  CacheMetrics metrics_;
};

}  // namespace plimsoll::service
