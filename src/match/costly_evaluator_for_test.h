#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "match/rules.h"

namespace plimsoll::match {

/// Evaluator for tests of budgets: each evaluation has the same cost. Only the expression `yes` is
/// true, and only for taints with the given key if there is one.
class CostlyEvaluator final : public ExpressionEvaluator {
 public:
  explicit CostlyEvaluator(std::uint64_t cost, std::string true_key = {})
      : cost_(cost), true_key_(std::move(true_key)) {}

  Result<bool> Evaluate(std::string_view expression, const api::Taint& taint) const override {
    std::uint64_t cost = 0;
    return EvaluateCounted(expression, taint, cost);
  }
  Result<bool> EvaluateCounted(std::string_view expression, const api::Taint& taint,
                               std::uint64_t& cost) const override {
    cost += cost_;
    evaluated_.push_back(std::string(expression) + "@" + std::string(taint.key));
    return expression == "yes" && (true_key_.empty() || taint.key == true_key_);
  }

  /// Returns the evaluations in order, as `expression@taint key`.
  const std::vector<std::string>& evaluated() const { return evaluated_; }
  std::size_t evaluations() const { return evaluated_.size(); }

 private:
  const std::uint64_t cost_;
  const std::string true_key_;
  mutable std::vector<std::string> evaluated_;
};

}  // namespace plimsoll::match
