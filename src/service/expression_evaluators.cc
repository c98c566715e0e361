#include "service/expression_evaluators.h"

#include <array>

#include "api/expression/toleration_expression.h"

namespace plimsoll::service {
namespace {

/// Returns the evaluator of a component, which has its own cache.
match::CelEvaluator& Find(ExpressionUser user) {
  static const std::array<api::TolerationExpressions, 4> expressions;
  static std::array<match::CelEvaluator, 4> evaluators{
      match::CelEvaluator(expressions[0]), match::CelEvaluator(expressions[1]),
      match::CelEvaluator(expressions[2]), match::CelEvaluator(expressions[3])};
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
