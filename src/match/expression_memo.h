#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "match/rules.h"

namespace plimsoll::match {

inline constexpr std::string_view kBudgetExhausted =
    "the budget for evaluating expressions is used up";

/// Evaluates each expression once for each distinct taint, as long as it has room to remember, and
/// within a budget. For one thread.
class ExpressionMemo final : public ExpressionEvaluator {
 public:
  static constexpr std::size_t kAnswersMax = 1 << 18;

  /// The evaluator must outlive this object. Null: every expression is false.
  explicit ExpressionMemo(const ExpressionEvaluator* evaluator,
                          std::size_t answers_max = kAnswersMax)
      : evaluator_(evaluator), answers_max_(answers_max) {}

  /// Sets the budget for evaluations from now on, in CEL cost units. Before the first call there is
  /// no limit.
  void SetBudget(std::uint64_t cost);
  /// Whether an answer since SetBudget is missing because the budget was used up. Nothing that was
  /// made of the answers counts then; after another SetBudget the evaluations go on.
  bool is_exhausted() const { return refused_ > 0; }
  /// Returns how many answers are missing since SetBudget, so that a caller can tell whether one of
  /// its own is.
  std::uint64_t refused() const { return refused_; }

  /// Returns whether an evaluation may begin. If not, the budget counts as exhausted.
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
