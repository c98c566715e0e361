#include "cel/number.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace plimsoll::cel {
namespace {

TEST(NumberTest, OnlyWholeDoublesInRangeAreInts) {
  EXPECT_EQ(ExactInt(-3.0), -3);
  EXPECT_EQ(ExactInt(-9223372036854775808.0), INT64_MIN);
  EXPECT_EQ(ExactUint(9223372036854775808.0), 9223372036854775808u);
  for (const double not_int : {0.5, 9223372036854775808.0, -1e300, std::nan("")}) {
    EXPECT_EQ(ExactInt(not_int), std::nullopt) << not_int;
  }
  for (const double not_uint : {-1.0, 0.5, 18446744073709551616.0, std::nan("")}) {
    EXPECT_EQ(ExactUint(not_uint), std::nullopt) << not_uint;
  }
}

TEST(NumberTest, OrdersAcrossKinds) {
  EXPECT_TRUE(Order(std::int64_t{-1}, UINT64_MAX) < 0);
  EXPECT_TRUE(Order(std::int64_t{1}, std::uint64_t{1}) == 0);
  EXPECT_TRUE(Order(INT64_MAX, 1e300) < 0);
  EXPECT_TRUE(Order(INT64_MIN, -1e300) > 0);
  EXPECT_TRUE(Order(std::int64_t{1}, 1.5) < 0);
  EXPECT_TRUE(Order(std::uint64_t{0}, -0.5) > 0);
  EXPECT_TRUE(Order(UINT64_MAX, std::numeric_limits<double>::infinity()) < 0);
}

TEST(NumberTest, RoundsWholeNumbersToCompareThemWithDoubles) {
  EXPECT_TRUE(Order(std::int64_t{9007199254740993}, 9007199254740992.0) == 0);
  EXPECT_TRUE(Order(INT64_MAX, 9223372036854775808.0) == 0);
}

}  // namespace
}  // namespace plimsoll::cel
