#include "base/payload.h"

#include <gtest/gtest.h>

#include <string>

namespace plimsoll {
namespace {

TEST(PayloadTest, HoldsAValueOfOneType) {
  const PayloadPtr payload = MakePayload(std::string("pod"));
  ASSERT_NE(FindPayload<std::string>(payload), nullptr);
  EXPECT_EQ(*FindPayload<std::string>(payload), "pod");
  EXPECT_EQ(FindPayload<int>(payload), nullptr);
  EXPECT_EQ(FindPayload<int>(nullptr), nullptr);
}

}  // namespace
}  // namespace plimsoll
