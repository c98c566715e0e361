#include "apiserver/request/user_budget.h"

#include <algorithm>

namespace plimsoll::apiserver {

std::optional<BudgetShare> UserBudget::Reserve(const std::string& user, std::uint64_t amount) {
  {
    const std::scoped_lock lock(books_->mutex);
    if (amount > books_->total_max - books_->total) return std::nullopt;
    const auto found = books_->users.find(user);
    const std::uint64_t held = found == books_->users.end() ? 0 : found->second;
    if (amount > books_->per_user_max - std::min(books_->per_user_max, held)) return std::nullopt;
    books_->total += amount;
    if (found == books_->users.end()) {
      books_->users.emplace(user, amount);
    } else {
      found->second += amount;
    }
  }
  return Share(books_, user, amount);
}

void UserBudget::Share::Shrink(std::uint64_t amount) {
  if (books_ == nullptr || amount_ <= amount) return;
  const std::uint64_t returned = amount_ - amount;
  amount_ = amount;
  const std::scoped_lock lock(books_->mutex);
  books_->total -= returned;
  const auto found = books_->users.find(user_);
  found->second -= returned;
  if (found->second == 0) books_->users.erase(found);
}

}  // namespace plimsoll::apiserver
