#include "cel/syntax/literal.h"

#include <gtest/gtest.h>

#include <cmath>

namespace plimsoll::cel {
namespace {

TEST(LiteralTest, IntsReachBothEndsOfTheirRange) {
  EXPECT_EQ(ParseIntLiteral("9223372036854775807", false)->as_int(), INT64_MAX);
  EXPECT_FALSE(ParseIntLiteral("9223372036854775808", false));
  EXPECT_EQ(ParseIntLiteral("9223372036854775808", true)->as_int(), INT64_MIN);
  EXPECT_FALSE(ParseIntLiteral("9223372036854775809", true));
  EXPECT_EQ(ParseIntLiteral("0x1f", true)->as_int(), -31);
  EXPECT_EQ(ParseUintLiteral("18446744073709551615u")->as_uint(), UINT64_MAX);
  EXPECT_FALSE(ParseUintLiteral("18446744073709551616u"));
}

TEST(LiteralTest, DoublesMayVanishButNotOverflow) {
  EXPECT_EQ(ParseDoubleLiteral("1.5e3", true)->as_double(), -1500);
  EXPECT_EQ(ParseDoubleLiteral("1e-400", false)->as_double(), 0);
  EXPECT_TRUE(std::signbit(ParseDoubleLiteral("0.0", true)->as_double()));
  EXPECT_FALSE(ParseDoubleLiteral("1e400", false));
}

struct UnquoteCase {
  std::string_view token;
  bool is_bytes;
  std::string_view want;
};

TEST(LiteralTest, EscapesAreResolved) {
  for (const UnquoteCase& test : {
           UnquoteCase{"'a\\n\\t\\\\\\''", false, "a\n\t\\'"},
           UnquoteCase{R"("\a\b\f\r\v\?\`")", false, "\a\b\f\r\v?`"},
           UnquoteCase{R"('\x41\101\u00e9\U0001F600')", false, "AAé😀"},
           UnquoteCase{R"('\xff')", false, "ÿ"},
           UnquoteCase{R"(b'\xff\377')", true, "\xff\xff"},
           UnquoteCase{R"(r'\n')", false, "\\n"},
           UnquoteCase{R"(br"\x")", true, "\\x"},
           UnquoteCase{"'''a'b'''", false, "a'b"},
           UnquoteCase{"''", false, ""},
           UnquoteCase{"'''x\r\ny\rz'''", false, "x\ny\nz"},
       }) {
    const auto got = Unquote(test.token, test.is_bytes);
    ASSERT_TRUE(got.has_value()) << test.token;
    EXPECT_EQ(*got, test.want) << test.token;
  }
}

TEST(LiteralTest, EscapesThatStandForNothingAreRefused) {
  EXPECT_EQ(Unquote(R"('\U00110000')", false).error(), "invalid unicode code point");
  EXPECT_EQ(Unquote(R"('\ud800')", false).error(), "invalid unicode code point");
  EXPECT_EQ(Unquote(R"(b'\u00e9')", true).error(), "unable to unescape string");
}

}  // namespace
}  // namespace plimsoll::cel
