#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

namespace plimsoll::apiserver {

/// Divides a limited amount (bytes, watches) among users. Safe for use by many threads. A Share may
/// outlive the budget.
class UserBudget {
 public:
  UserBudget(std::uint64_t total_max, std::uint64_t per_user_max)
      : books_(std::make_shared<Books>(total_max, per_user_max)) {}

 private:
  struct Books {
    Books(std::uint64_t of_all, std::uint64_t of_one) : total_max(of_all), per_user_max(of_one) {}

    const std::uint64_t total_max;
    const std::uint64_t per_user_max;
    std::mutex mutex;  // guards everything below
    std::uint64_t total = 0;
    std::map<std::string, std::uint64_t> users;
  };

 public:
  /// An amount that a user has. Its destructor returns the amount. Movable, not copyable.
  class Share {
   public:
    ~Share() { Shrink(0); }
    Share(Share&& other) noexcept = default;
    Share& operator=(Share&& other) noexcept {
      std::swap(books_, other.books_);
      std::swap(user_, other.user_);
      std::swap(amount_, other.amount_);
      return *this;
    }

    /// Returns all but `amount` to the budget. Does nothing if the share is not larger than that.
    void Shrink(std::uint64_t amount);

   private:
    friend class UserBudget;
    Share(std::shared_ptr<Books> books, std::string user, std::uint64_t amount)
        : books_(std::move(books)), user_(std::move(user)), amount_(amount) {}

    std::shared_ptr<Books> books_;  // null: moved from
    std::string user_;
    std::uint64_t amount_;
  };

  /// Reserves `amount` for the user. Returns nullopt if that exceeds the limit of the user or of
  /// all users.
  std::optional<Share> Reserve(const std::string& user, std::uint64_t amount);

 private:
  const std::shared_ptr<Books> books_;
};

using BudgetShare = UserBudget::Share;

}  // namespace plimsoll::apiserver
