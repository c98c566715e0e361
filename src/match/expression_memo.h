#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "match/limits.h"
#include "match/rules.h"

namespace plimsoll::match {

inline constexpr std::string_view kBudgetExhausted =
    "the budget for evaluating expressions is used up";

/// Caches the result of each expression for each distinct taint, up to a number of answers, and
/// limits the cost of evaluations. For one thread.
class ExpressionMemo final : public ExpressionEvaluator {
 public:
  /// The evaluator must outlive this object. Null: every expression is false.
  explicit ExpressionMemo(const ExpressionEvaluator* evaluator,
                          std::size_t answers_max = kExpressionAnswersMax)
      : evaluator_(evaluator), answers_max_(answers_max) {}

  /// Sets the budget for evaluations from now on, in CEL cost units. Before the first call there is
  /// no limit.
  void SetBudget(std::uint64_t cost);
  /// Returns true if an answer since SetBudget failed because the budget was spent. The caller must
  /// discard its results then. After another SetBudget the evaluations continue.
  bool is_exhausted() const { return refused_ > 0; }
  /// Returns the number of answers that failed so since SetBudget, so that a caller can tell
  /// whether one of its own did.
  std::uint64_t refused() const { return refused_; }

  /// Returns true if an evaluation may begin. Otherwise the budget counts as exhausted.
  bool MayEvaluate() const {
    if (spent_ < budget_) return true;
    ++refused_;
    return false;
  }
  /// Counts the cost of an evaluation that was made elsewhere.
  void Charge(std::uint64_t cost) { spent_ += cost; }

  /// Returns Timeout if the budget is spent.
  Result<bool> Evaluate(std::string_view expression, const api::Taint& taint) const override;

 private:
  using Answers = std::map<std::string, Result<bool>, std::less<>>;  // by taint

  const ExpressionEvaluator* evaluator_;
  const std::size_t answers_max_;
  mutable std::map<std::string, Answers, std::less<>> answers_;  // by expression
  mutable std::size_t count_ = 0;
  mutable std::uint64_t spent_ = 0;
  std::uint64_t budget_ = ~std::uint64_t{0};
  mutable std::uint64_t refused_ = 0;
};

}  // namespace plimsoll::match
