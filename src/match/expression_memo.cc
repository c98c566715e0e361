#include "match/expression_memo.h"

#include <utility>

namespace plimsoll::match {

void ExpressionMemo::SetBudget(std::uint64_t cost) {
  budget_ = cost;
  spent_ = 0;
  refused_ = 0;
}

Result<bool> ExpressionMemo::Evaluate(std::string_view expression, const api::Taint& taint) const {
  if (evaluator_ == nullptr) return false;
  std::string key;
  for (const std::string_view text : {taint.key, taint.value, taint.effect}) {
    key.append(text) += '\0';  // separator; no text contains it
  }
  auto of_expression = answers_.find(expression);
  if (of_expression != answers_.end()) {
    const auto known = of_expression->second.find(key);
    if (known != of_expression->second.end()) return known->second;
  }
  if (!MayEvaluate()) {
    return Fail(Reason::Timeout, std::string(kBudgetExhausted));
  }
  if (count_ >= answers_max_) {
    answers_.clear();
    count_ = 0;
    of_expression = answers_.end();
  }
  Result<bool> answer = evaluator_->EvaluateCounted(expression, taint, spent_);
  if (of_expression == answers_.end()) {
    of_expression = answers_.emplace(expression, Answers()).first;
  }
  of_expression->second.emplace(std::move(key), answer);
  ++count_;
  return answer;
}

}  // namespace plimsoll::match
