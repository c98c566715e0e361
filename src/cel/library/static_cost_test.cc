#include "cel/library/static_cost.h"

#include <gtest/gtest.h>

namespace plimsoll::cel {
namespace {

TEST(StaticCostTest, ANewListCostsTheCallAndItsElements) {
  const CallEstimate estimate = StaticCostOfNewList({1, 5}, 2);
  EXPECT_EQ(estimate.cost, (CostRange{13, 21}));
  EXPECT_EQ(estimate.result_size, (CostRange{1, 5}));
}

TEST(StaticCostTest, EvenTheEmptyTextIsSearched) {
  EXPECT_EQ(StaticCostOfRegex({0, 12}, CostRange::Fixed(9)), (CostRange{3, 6}));
}

}  // namespace
}  // namespace plimsoll::cel
