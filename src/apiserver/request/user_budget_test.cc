#include "apiserver/request/user_budget.h"

#include <gtest/gtest.h>

namespace plimsoll::apiserver {
namespace {

TEST(UserBudgetTest, AUserAndAllUsersTogetherHaveALimit) {
  UserBudget budget(10, 6);
  EXPECT_FALSE(budget.Reserve("jane", 7)) << "more than one user may have";
  auto jane = budget.Reserve("jane", 4);
  ASSERT_TRUE(jane);
  EXPECT_FALSE(budget.Reserve("jane", 3)) << "4 + 3 > 6";
  const auto joe = budget.Reserve("joe", 6);
  ASSERT_TRUE(joe);
  EXPECT_FALSE(budget.Reserve("ann", 1)) << "nothing is left";
  jane->Shrink(3);
  EXPECT_TRUE(budget.Reserve("ann", 1));
  jane->Shrink(9);
  EXPECT_FALSE(budget.Reserve("ann", 2)) << "a share never grows";
  jane.reset();
  EXPECT_TRUE(budget.Reserve("ann", 4));
}

TEST(UserBudgetTest, AMovedShareIsReturnedOnce) {
  UserBudget budget(10, 10);
  std::optional<BudgetShare> first = budget.Reserve("jane", 4);
  std::optional<BudgetShare> second = budget.Reserve("jane", 3);
  ASSERT_TRUE(first && second);
  *first = *std::move(second);
  second.reset();
  EXPECT_FALSE(budget.Reserve("jane", 8)) << "a share of 3 is left";
  EXPECT_TRUE(budget.Reserve("jane", 7));
}

TEST(UserBudgetTest, AShareMayOutliveTheBudget) {
  std::optional<BudgetShare> share;
  {
    UserBudget budget(10, 10);
    share = budget.Reserve("jane", 10);
  }
  share.reset();
}

}  // namespace
}  // namespace plimsoll::apiserver
