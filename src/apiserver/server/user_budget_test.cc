#include "apiserver/server/user_budget.h"

#include <gtest/gtest.h>

namespace plimsoll::apiserver {
namespace {

TEST(UserBudgetTest, AUserAndAllUsersTogetherHaveALimit) {
  UserBudget budget(10, 6);
  EXPECT_EQ(budget.Take("jane", 7), nullptr) << "more than one user may have";
  auto jane = budget.Take("jane", 4);
  ASSERT_NE(jane, nullptr);
  EXPECT_EQ(budget.Take("jane", 3), nullptr) << "4 + 3 > 6";
  const auto joe = budget.Take("joe", 6);
  ASSERT_NE(joe, nullptr);
  EXPECT_EQ(budget.Take("ann", 1), nullptr) << "nothing is left";
  jane->Shrink(3);
  EXPECT_NE(budget.Take("ann", 1), nullptr);
  jane->Shrink(9);
  EXPECT_EQ(budget.Take("ann", 2), nullptr) << "a hold never grows";
  jane = nullptr;
  EXPECT_NE(budget.Take("ann", 4), nullptr);
}

TEST(UserBudgetTest, AHoldMayOutliveTheBudget) {
  std::shared_ptr<UserBudget::Hold> hold;
  {
    UserBudget budget(10, 10);
    hold = budget.Take("jane", 10);
  }
  hold = nullptr;
}

}  // namespace
}  // namespace plimsoll::apiserver
