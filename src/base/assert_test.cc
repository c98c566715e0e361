#include "base/assert.h"

#include "gtest/gtest.h"

namespace plimsoll {
namespace {

TEST(AssertDeathTest, SaysWhereAndWhatAndAborts) {
  const int answer = 6 * 7;
  PL_ASSERT(answer == 42);
  EXPECT_DEATH(PL_ASSERT(answer == 43), "assert_test.cc:[0-9]+: assertion failed: answer == 43");
}

TEST(AssertDeathTest, EvaluatesItsConditionOnce) {
  int calls = 0;
  PL_ASSERT(++calls == 1);
  EXPECT_EQ(calls, 1);
}

}  // namespace
}  // namespace plimsoll
