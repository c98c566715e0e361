#include "apiserver/server/log_limit.h"

#include "gtest/gtest.h"

namespace plimsoll::apiserver {
namespace {

using std::chrono::milliseconds;

TEST(LogLimitTest, LetsSoManyLinesThroughInASecondAndCountsTheRest) {
  LogLimit limit(2);
  const Instant start(std::chrono::hours(1));
  EXPECT_EQ(limit.Acquire(start), 0U);
  EXPECT_EQ(limit.Acquire(start), 0U);
  EXPECT_EQ(limit.Acquire(start + milliseconds(999)), std::nullopt);
  EXPECT_EQ(limit.Acquire(start + milliseconds(999)), std::nullopt);
  EXPECT_EQ(limit.Acquire(start + milliseconds(1000)), 2U);
  EXPECT_EQ(limit.Acquire(start + milliseconds(1001)), 0U);
}

}  // namespace
}  // namespace plimsoll::apiserver
