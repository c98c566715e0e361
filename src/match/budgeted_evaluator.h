#pragma once

#include <cstdint>
#include <string_view>

#include "match/rules.h"

namespace plimsoll::match {

/// Evaluates expressions until a budget is used up. From then on every answer is an error, and
/// `is_exhausted` says that what was made of the answers does not count. For one thread.
class BudgetedEvaluator final : public ExpressionEvaluator {
 public:
  /// The evaluator must outlive it. `budget` is in CEL's units of cost; the last evaluation may
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
