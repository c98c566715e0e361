#pragma once

#include <cstdint>
#include <string_view>

#include "base/cache_metrics.h"
#include "base/metrics.h"
#include "match/cel_evaluator.h"

namespace plimsoll::cli {

/// Programs that evaluate expressions of tolerations. Each has its own cache of compiled ones, also
/// when several run in one process, so that the load on one does not empty the cache of another.
enum class ExpressionUser : std::uint8_t { CommandLine, Scheduler, ControllerManager, Kubelet };

const api::TolerationExpressions& ExpressionsOf(ExpressionUser user);

/// Evaluates by them.
const match::ExpressionEvaluator& EvaluatorOf(ExpressionUser user);

/// Exports the counters of a component's cache as `<component>_toleration_expression_cache_total`
/// while it lives. Must outlive all threads that evaluate, and only one may live for each user.
class ExpressionCacheMetrics {
 public:
  ExpressionCacheMetrics(MetricsRegistry& metrics, ExpressionUser user);
  ~ExpressionCacheMetrics();
  ExpressionCacheMetrics(const ExpressionCacheMetrics&) = delete;
  ExpressionCacheMetrics& operator=(const ExpressionCacheMetrics&) = delete;

 private:
  const ExpressionUser user_;
  CacheMetrics counter_;
};

}  // namespace plimsoll::cli
