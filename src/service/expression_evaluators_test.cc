#include "service/expression_evaluators.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace plimsoll::service {
namespace {

using testing::HasSubstr;

TEST(EvaluatorTest, EachComponentHasACacheOfItsOwn) {
  MetricsRegistry metrics;
  const ExpressionCacheMetrics controllers(metrics, ExpressionUser::ControllerManager);
  const ExpressionCacheMetrics kubelet(metrics, ExpressionUser::Kubelet);
  const api::Taint taint{.key = "k", .value = "1", .effect = "NoSchedule"};
  const std::string_view expression = "taint.key == 'k' && taint.value != 'evaluator_test'";
  const CacheCounters scheduler = ExpressionsOf(ExpressionUser::Scheduler).counters();
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(EvaluatorOf(ExpressionUser::ControllerManager).Evaluate(expression, taint).value());
  }
  EXPECT_TRUE(EvaluatorOf(ExpressionUser::Kubelet).Evaluate(expression, taint).value());
  const std::string text = metrics.Text();
  EXPECT_THAT(text,
              HasSubstr("controller_manager_toleration_expression_cache_total{result=\"hit\"} 2"));
  EXPECT_THAT(text,
              HasSubstr("controller_manager_toleration_expression_cache_total{result=\"miss\"} 1"));
  EXPECT_THAT(text, HasSubstr("kubelet_toleration_expression_cache_total{result=\"hit\"} 0"));
  EXPECT_THAT(text, HasSubstr("kubelet_toleration_expression_cache_total{result=\"miss\"} 1"));
  EXPECT_EQ(ExpressionsOf(ExpressionUser::Scheduler).counters(), scheduler);
}

}  // namespace
}  // namespace plimsoll::service
