#include "controller/node_taint_rule/taint_number.h"

#include <gtest/gtest.h>

#include <limits>

namespace plimsoll::controller {
namespace {

TEST(TaintNumberTest, RoundsToTheNearestMultiple) {
  EXPECT_EQ(RoundedToStep(7.4, 5), 5);
  EXPECT_EQ(RoundedToStep(7.5, 5), 10);
  EXPECT_EQ(RoundedToStep(0.4, 1), 0);
  EXPECT_EQ(RoundedToStep(0.5, 1), 1);
  EXPECT_EQ(RoundedToStep(-0.4, 1), 0);
  EXPECT_EQ(RoundedToStep(-0.6, 1), std::nullopt);
  EXPECT_EQ(RoundedToStep(3, 100), 0);
  EXPECT_EQ(RoundedToStep(999'999'999'999'999, 1), 999'999'999'999'999);
  EXPECT_EQ(RoundedToStep(1e15, 1), std::nullopt);
  EXPECT_EQ(RoundedToStep(std::numeric_limits<double>::quiet_NaN(), 1), std::nullopt);
  EXPECT_EQ(RoundedToStep(std::numeric_limits<double>::infinity(), 1), std::nullopt);
}

TEST(TaintNumberTest, RoundsOnlyNumbers) {
  EXPECT_EQ(TaintValueOf("12", 5), "10");
  EXPECT_EQ(TaintValueOf("12", 1), "12");
  EXPECT_EQ(TaintValueOf("v1.2", 5), "v1.2");
  EXPECT_EQ(TaintValueOf("012", 5), "012");
  EXPECT_EQ(TaintValueOf("", 5), "");
  EXPECT_EQ(TaintValueOf("-7", 5), std::nullopt);
  EXPECT_EQ(TaintValueOf("two words", 5), std::nullopt);
  EXPECT_EQ(TaintValueOf(std::string(64, 'a'), 5), std::nullopt);
}

TEST(TaintNumberTest, AChangeIsSmallBelowTheHysteresis) {
  EXPECT_TRUE(IsSmallChange("10", "11", 2));
  EXPECT_TRUE(IsSmallChange("11", "10", 2));
  EXPECT_FALSE(IsSmallChange("10", "12", 2));
  EXPECT_FALSE(IsSmallChange("10", "11", 0));
  EXPECT_FALSE(IsSmallChange("10", "v2", 100));
  EXPECT_FALSE(IsSmallChange("", "1", 100));
}

}  // namespace
}  // namespace plimsoll::controller
