#include "match/expression_memo.h"

#include <gtest/gtest.h>

#include "match/budgeted_evaluator.h"

namespace plimsoll::match {
namespace {

/// True for taints with the key "yes", fails for "broken". Each evaluation costs 10.
class CountingEvaluator final : public ExpressionEvaluator {
 public:
  Result<bool> Evaluate(std::string_view /*expression*/, const api::Taint& taint) const override {
    ++evaluations;
    if (taint.key == "broken") return Fail(Reason::Invalid, "broken");
    return taint.key == "yes";
  }
  Result<bool> EvaluateCounted(std::string_view expression, const api::Taint& taint,
                               std::uint64_t& cost) const override {
    cost += 10;
    return Evaluate(expression, taint);
  }
  mutable int evaluations = 0;
};

api::Taint TaintOf(std::string_view key) { return {key, "v", "NoSchedule", {}}; }

TEST(ExpressionMemoTest, EvaluatesEachExpressionOnceForEachDistinctTaint) {
  const CountingEvaluator evaluator;
  const ExpressionMemo memo(&evaluator);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(memo.Evaluate("a", TaintOf("yes")).value(), true);
    EXPECT_EQ(memo.Evaluate("a", TaintOf("no")).value(), false);
    EXPECT_EQ(memo.Evaluate("b", TaintOf("no")).value(), false);
    EXPECT_EQ(memo.Evaluate("b", TaintOf("broken")).error().message, "broken");
  }
  EXPECT_EQ(evaluator.evaluations, 4);
}

TEST(ExpressionMemoTest, GoesOnWhereTheBudgetEnded) {
  const CountingEvaluator evaluator;
  ExpressionMemo memo(&evaluator);
  memo.SetBudget(15);
  EXPECT_TRUE(memo.Evaluate("a", TaintOf("1")).has_value());
  EXPECT_TRUE(memo.Evaluate("a", TaintOf("2")).has_value());
  EXPECT_FALSE(memo.is_exhausted());
  EXPECT_EQ(memo.Evaluate("a", TaintOf("3")).error().reason, Reason::Timeout);
  EXPECT_TRUE(memo.is_exhausted());
  memo.SetBudget(15);
  EXPECT_TRUE(memo.Evaluate("a", TaintOf("1")).has_value());
  EXPECT_TRUE(memo.Evaluate("a", TaintOf("2")).has_value());
  EXPECT_TRUE(memo.Evaluate("a", TaintOf("3")).has_value());
  EXPECT_FALSE(memo.is_exhausted());
  EXPECT_EQ(evaluator.evaluations, 3);
}

TEST(ExpressionMemoTest, OtherEvaluationsCountAgainstTheBudget) {
  const CountingEvaluator evaluator;
  ExpressionMemo memo(&evaluator);
  memo.SetBudget(15);
  EXPECT_TRUE(memo.MayEvaluate());
  memo.Charge(15);
  EXPECT_EQ(memo.refused(), 0U);
  EXPECT_FALSE(memo.MayEvaluate());
  EXPECT_EQ(memo.Evaluate("a", TaintOf("1")).error().message, kBudgetExhausted);
  EXPECT_EQ(memo.refused(), 2U);
  EXPECT_TRUE(memo.is_exhausted());
}

TEST(ExpressionMemoTest, RemembersNoMoreThanItMay) {
  const CountingEvaluator evaluator;
  const ExpressionMemo memo(&evaluator, 2);
  for (const char* key : {"1", "2", "3", "3"}) {
    EXPECT_TRUE(memo.Evaluate("a", TaintOf(key)).has_value());
  }
  EXPECT_EQ(evaluator.evaluations, 3);
  EXPECT_TRUE(memo.Evaluate("a", TaintOf("1")).has_value());
  EXPECT_EQ(evaluator.evaluations, 4);
}

TEST(BudgetedEvaluatorTest, FailsOnceItsBudgetIsUsedUp) {
  const CountingEvaluator evaluator;
  const BudgetedEvaluator budgeted(evaluator, 20);
  EXPECT_TRUE(budgeted.Evaluate("a", TaintOf("yes")).value());
  EXPECT_TRUE(budgeted.Evaluate("a", TaintOf("yes")).value());
  EXPECT_FALSE(budgeted.is_exhausted());
  EXPECT_FALSE(budgeted.Evaluate("a", TaintOf("yes")).has_value());
  EXPECT_TRUE(budgeted.is_exhausted());
  EXPECT_EQ(evaluator.evaluations, 2);
}

}  // namespace
}  // namespace plimsoll::match
