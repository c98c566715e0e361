#pragma once

#include <cstdint>
#include <string_view>

#include "match/rules.h"

namespace plimsoll::match {

/// Evaluates expressions until a cost budget is spent. After that every answer is an error and
/// `is_exhausted` returns true; the caller must discard its results. For one thread.
class BudgetedEvaluator final : public ExpressionEvaluator {
 public:
  /// The evaluator must outlive this object. `budget` is in CEL cost units; the last evaluation may
  /// exceed it.
  BudgetedEvaluator(const ExpressionEvaluator& evaluator, std::uint64_t budget)
      : evaluator_(evaluator), budget_(budget) {}

  Result<bool> Evaluate(std::string_view expression, const api::Taint& taint) const override {
    if (spent_ >= budget_) {
      is_exhausted_ = true;
      return Fail(Reason::Timeout, "the budget for evaluating expressions is used up");
    }
    return evaluator_.EvaluateCounted(expression, taint, spent_);
  }

  bool is_exhausted() const { return is_exhausted_; }
  std::uint64_t spent() const { return spent_; }

 private:
  const ExpressionEvaluator& evaluator_;
  const std::uint64_t budget_;
  mutable std::uint64_t spent_ = 0;
  mutable bool is_exhausted_ = false;
};

}  // namespace plimsoll::match
