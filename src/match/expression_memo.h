#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "match/rules.h"

namespace plimsoll::match {

/// Evaluates each expression once for each distinct taint, as long as it has room to remember, and
/// within a budget. For one thread.
class ExpressionMemo final : public ExpressionEvaluator {
 public:
  static constexpr std::size_t kAnswersMax = 1 << 18;

  /// The evaluator must outlive it; null: no expression holds.
  explicit ExpressionMemo(const ExpressionEvaluator* evaluator,
                          std::size_t answers_max = kAnswersMax)
      : evaluator_(evaluator), answers_max_(answers_max) {}

  /// From now on so much may be spent, in CEL's units of cost. There is no limit before the first
  /// call.
  void SetBudget(std::uint64_t cost);
  /// Whether an answer since SetBudget is missing because the budget was used up. Nothing that was
  /// made of the answers counts then; after another SetBudget the evaluations go on.
  bool is_exhausted() const { return is_exhausted_; }

  /// Timeout when the budget is used up.
  Result<bool> Evaluate(std::string_view expression, const api::Taint& taint) const override;

 private:
  using Answers = std::map<std::string, Result<bool>, std::less<>>;  // by taint

  const ExpressionEvaluator* evaluator_;
  const std::size_t answers_max_;
  mutable std::map<std::string, Answers, std::less<>> answers_;  // by expression
  mutable std::size_t count_ = 0;
  mutable std::uint64_t spent_ = 0;
  std::uint64_t budget_ = ~std::uint64_t{0};
  mutable bool is_exhausted_ = false;
};

}  // namespace plimsoll::match
