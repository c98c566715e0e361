#include "cel/library/number_text.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <utility>

namespace plimsoll::cel {
namespace {

TEST(NumberTextTest, WritesAsFewDigitsAsNeeded) {
  const std::pair<double, std::pair<std::string_view, std::string_view>> kCases[] = {
      {0, {"0", "0"}},
      {-0.0, {"-0", "-0"}},
      {0.1, {"0.1", "0.1"}},
      {100000, {"100000", "100000"}},
      {1e6, {"1e+06", "1000000"}},
      {-1e6, {"-1e+06", "-1000000"}},
      {std::nextafter(1e6, 0), {"999999.9999999999", "999999.9999999999"}},
      {std::nextafter(1e-4, 1), {"0.00010000000000000002", "0.00010000000000000002"}},
      {std::nextafter(1e-4, 0), {"9.999999999999999e-05", "0.00009999999999999999"}},
      {-1e-4, {"-0.0001", "-0.0001"}},
      {123456789, {"1.23456789e+08", "123456789"}},
      {1e-4, {"0.0001", "0.0001"}},
      {1e-5, {"1e-05", "0.00001"}},
      {1e21, {"1e+21", "1000000000000000000000"}},
      {std::numeric_limits<double>::infinity(), {"+Inf", "+Inf"}},
      {-std::numeric_limits<double>::infinity(), {"-Inf", "-Inf"}},
      {std::nan(""), {"NaN", "NaN"}},
  };
  for (const auto& [value, texts] : kCases) {
    EXPECT_EQ(ShortestText(value), texts.first);
    EXPECT_EQ(FixedText(value), texts.second);
  }
}

TEST(NumberTextTest, ReadsWhatGoReads) {
  const std::pair<std::string_view, double> kCases[] = {
      {"1", 1},
      {"+1.5", 1.5},
      {"-.5", -0.5},
      {"5.", 5},
      {"1e3", 1000},
      {"1E+3", 1000},
      {"1_000", 1000},
      {"1_0.5_0", 10.5},
      {"0x1p-2", 0.25},
      {"0X1.8P1", 3},
      {"0x_1p0", 1},
      {"1e-400", 0},
      {"0x1p-2000", 0},
      {"5e-324", 5e-324},
      {"inf", HUGE_VAL},
      {"+Infinity", HUGE_VAL},
      {"-INF", -HUGE_VAL},
  };
  for (const auto& [text, value] : kCases) EXPECT_EQ(ParseDouble(text), value) << text;
  EXPECT_TRUE(std::isnan(*ParseDouble("NaN")));
}

TEST(NumberTextTest, RefusesWhatGoRefuses) {
  for (const std::string_view text :
       {"",       " 1",    "1 ",   ".",    "e5",   "1e",       "1e+",  "--1",
        "+-1",    "1_",    "_1",   "1__0", "1_.5", "0x1",      "0xp1", "1e400",
        "-1e400", "infin", "+nan", "0b1",  "1f",   "0x1p99999"}) {
    EXPECT_EQ(ParseDouble(text), std::nullopt) << text;
  }
}

TEST(NumberTextTest, ReadsTruths) {
  for (const std::string_view text : {"1", "t", "T", "true", "TRUE", "True"}) {
    EXPECT_EQ(ParseBool(text), true);
  }
  for (const std::string_view text : {"0", "f", "F", "false", "FALSE", "False"}) {
    EXPECT_EQ(ParseBool(text), false);
  }
  for (const std::string_view text : {"", "tRUE", "yes", "2"}) {
    EXPECT_EQ(ParseBool(text), std::nullopt);
  }
}

}  // namespace
}  // namespace plimsoll::cel
