#include "service/expression_evaluators.h"

#include <array>
#include <atomic>

#include "api/expression/toleration_expression.h"

namespace plimsoll::service {
namespace {

/// An evaluator with its own cache. Updates the cache metrics while some are registered.
class CachingEvaluator final : public match::ExpressionEvaluator {
 public:
  Result<bool> Evaluate(std::string_view expression, const api::Taint& taint) const override {
    std::uint64_t cost = 0;
    return EvaluateCounted(expression, taint, cost);
  }
  Result<bool> EvaluateCounted(std::string_view expression, const api::Taint& taint,
                               std::uint64_t& cost) const override {
    Result<bool> answer = expressions_.Evaluate(expression, taint, &cost);
    if (CacheMetrics* const counter = metrics_.load()) {
      counter->Raise(expressions_.counters());
    }
    return answer;
  }

  const api::TolerationExpressions& expressions() const { return expressions_; }
  void SetMetrics(CacheMetrics* counter) { metrics_ = counter; }

 private:
  const api::TolerationExpressions expressions_;
  std::atomic<CacheMetrics*> metrics_ = nullptr;
};

CachingEvaluator& Find(ExpressionUser user) {
  static std::array<CachingEvaluator, 4> evaluators;
  return evaluators[static_cast<std::size_t>(user)];
}

std::string_view PrefixOf(ExpressionUser user) {
  switch (user) {
    case ExpressionUser::CommandLine:
      return "plimsoll";
    case ExpressionUser::Scheduler:
      return "scheduler";
    case ExpressionUser::ControllerManager:
      return "controller_manager";
    case ExpressionUser::Kubelet:
      return "kubelet";
  }
  return "";
}

}  // namespace

const api::TolerationExpressions& ExpressionsOf(ExpressionUser user) {
  return Find(user).expressions();
}

const match::ExpressionEvaluator& EvaluatorOf(ExpressionUser user) { return Find(user); }

ExpressionCacheMetrics::ExpressionCacheMetrics(MetricsRegistry& metrics, ExpressionUser user)
    : user_(user),
      metrics_(metrics,
               {.name = std::string(PrefixOf(user)) + "_toleration_expression_cache_total",
                .help = "Number of times that a toleration's expression was looked up: found "
                        "compiled (hit), or compiled (miss)."},
               ExpressionsOf(user).counters()) {
  Find(user_).SetMetrics(&metrics_);
}

ExpressionCacheMetrics::~ExpressionCacheMetrics() { Find(user_).SetMetrics(nullptr); }

}  // namespace plimsoll::service
