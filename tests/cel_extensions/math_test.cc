#include <gtest/gtest.h>

#include "cel_extensions/extension_answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(MathTest, PicksTheBest) {
  EXPECT_EQ(
      ExtensionDifferences({
          {"math.greatest(1)", "1"},
          {"math.greatest(1, 2.5)", "2.5"},
          {"math.greatest(1.0, 1u, 1)", "1.0"},
          {"math.least(5.4, 10, 3u, -5.0)", "-5.0"},
          {"math.least([1, 2])", "1"},
          {"math.greatest([])", "error: math.@max(list) argument must not be empty"},
          {"math.greatest('a', 1)", "math.greatest() simple literal arguments must be numeric"},
          {"math.greatest({}, 1)", "math.greatest() simple literal arguments must be numeric"},
          {"math.greatest(dyn(1), dyn('a'))", "error: no such overload: math.@max(int, string)"},
      }),
      "");
}

TEST(MathTest, Rounds) {
  EXPECT_EQ(ExtensionDifferences({
                {"math.ceil(-1.2)", "-1.0"},
                {"math.floor(-1.2)", "-2.0"},
                {"math.round(2.5)", "3.0"},
                {"math.round(-2.5)", "-3.0"},
                {"math.trunc(-1.9)", "-1.0"},
                {"math.ceil(dyn(1))", "error: no such overload: math.ceil(int)"},
            }),
            "");
}

TEST(MathTest, Asks) {
  EXPECT_EQ(ExtensionDifferences({
                {"math.isNaN(0.0 / 0.0)", "true"},
                {"math.isInf(1.0 / 0.0)", "true"},
                {"math.isFinite(1.0)", "true"},
                {"math.abs(-5)", "5"},
                {"math.abs(-9223372036854775808)", "error: integer overflow"},
                {"math.abs(-1.5)", "1.5"},
                {"math.sign(-5)", "-1"},
                {"math.sign(5u)", "1u"},
                {"math.sign(-0.5)", "-1.0"},
                {"math.sign(0.0 / 0.0)", "NaN"},
                {"math.sqrt(81)", "9.0"},
                {"math.sqrt(2u)", "1.4142135623730951"},
                {"math.sqrt(-1.0)", "NaN"},
            }),
            "");
}

TEST(MathTest, HandlesBits) {
  EXPECT_EQ(ExtensionDifferences({
                {"math.bitAnd(6, 3)", "2"},
                {"math.bitOr(6u, 3u)", "7u"},
                {"math.bitXor(6, 3)", "5"},
                {"math.bitNot(1)", "-2"},
                {"math.bitNot(1u)", "18446744073709551614u"},
                {"math.bitShiftLeft(1, 3)", "8"},
                {"math.bitShiftLeft(1, 64)", "0"},
                {"math.bitShiftRight(-1024, 3)", "2305843009213693824"},
                {"math.bitShiftRight(8u, 1)", "4u"},
                {"math.bitShiftLeft(1u, -1)", "error: math.bitShiftLeft() negative offset: -1"},
                {"math.bitShiftRight(1, -2)", "error: math.bitShiftRight() negative offset: -2"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
