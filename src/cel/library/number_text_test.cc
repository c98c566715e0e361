#include "cel/library/number_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace plimsoll::cel {
namespace {

struct TextCase {
  double value;
  std::string_view shortest;
  std::string_view fixed;
};

TEST(NumberTextTest, DoublesAreWrittenWithAsFewDigitsAsTell) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  for (const TextCase& test : {
           TextCase{0, "0", "0"},
           TextCase{-0.0, "-0", "-0"},
           TextCase{0.1, "0.1", "0.1"},
           TextCase{123456.5, "123456.5", "123456.5"},
           TextCase{999999, "999999", "999999"},
           TextCase{1e6, "1e+06", "1000000"},
           TextCase{-1234567.25, "-1.23456725e+06", "-1234567.25"},
           TextCase{0.0001, "0.0001", "0.0001"},
           TextCase{0.00001, "1e-05", "0.00001"},
           TextCase{9007199254740992, "9.007199254740992e+15", "9007199254740992"},
           TextCase{kInfinity, "+Inf", "+Inf"},
           TextCase{-kInfinity, "-Inf", "-Inf"},
           TextCase{std::nan(""), "NaN", "NaN"},
       }) {
    EXPECT_EQ(ShortestText(test.value), test.shortest);
    EXPECT_EQ(FixedText(test.value), test.fixed);
  }
}

TEST(NumberTextTest, DoublesAreReadAsGoReadsThem) {
  EXPECT_EQ(ParseDouble("1.5"), 1.5);
  EXPECT_EQ(ParseDouble("+.5e1"), 5);
  EXPECT_EQ(ParseDouble("1."), 1);
  EXPECT_EQ(ParseDouble("0x1.8p1"), 3);
  EXPECT_EQ(ParseDouble("1e-999"), 0);
  EXPECT_EQ(ParseDouble("-inf"), -std::numeric_limits<double>::infinity());
  EXPECT_EQ(ParseDouble("INFINITY"), std::numeric_limits<double>::infinity());
  EXPECT_TRUE(std::isnan(ParseDouble("nAn").value_or(0)));
  for (const std::string_view text : {"", "+", ".", "1e", "1e999", "1 ", " 1", "0x1", "0x.p1", "_1",
                                      "1__0", "1_.5", "1f", "--1"}) {
    EXPECT_EQ(ParseDouble(text), std::nullopt) << text;
  }
}

TEST(NumberTextTest, BoolsHaveSixSpellingsEach) {
  for (const std::string_view text : {"1", "t", "T", "true", "TRUE", "True"}) {
    EXPECT_EQ(ParseBool(text), true) << text;
  }
  for (const std::string_view text : {"0", "f", "F", "false", "FALSE", "False"}) {
    EXPECT_EQ(ParseBool(text), false) << text;
  }
  for (const std::string_view text : {"", "yes", "tRUE", "true "}) {
    EXPECT_EQ(ParseBool(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace plimsoll::cel
