#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(StandardOperatorsTest, ArithmeticStopsAtTheEndsOfItsType) {
  EXPECT_EQ(Differences({
                {"1 + 2 * 3", "7 @2"},
                {"-7 / 2", "-3 @1"},
                {"-7 % 3", "-1 @1"},
                {"7.0 / 0.0", "+Inf @1"},
                {"1 / 0", "error: division by zero @1"},
                {"1 % 0", "error: modulus by zero @1"},
                {"9223372036854775807 + 1", "error: integer overflow @1"},
                {"0u - 1u", "error: unsigned integer overflow @1"},
                {"-(-9223372036854775808)", "error: integer overflow @1"},
            }),
            "");
}

TEST(StandardOperatorsTest, AdditionJoinsTextsBytesAndLists) {
  EXPECT_EQ(Differences({
                {"'a' + 'bc'", R"("abc" @1)"},
                {"b'a' + b'b'", R"(b"ab" @1)"},
                {"[1] + [2, 3]", "[1, 2, 3] @1"},
                {"taint.key + ''", R"("gpu" @3)"},
            }),
            "");
}

TEST(StandardOperatorsTest, NumbersAreComparedByValue) {
  EXPECT_EQ(Differences({
                {"1 < 2.5", "true @1"},
                {"1u >= 1.0", "true @1"},
                {"dyn(1) == dyn(1u)", "true @1"},
                {"dyn(9007199254740993) == 9007199254740992.0", "true @1"},
                {"-1 < 0u", "true @1"},
                {"double('nan') == double('nan')", "false @1"},
                {"double('nan') < 1.0", "error: NaN values cannot be ordered @1"},
            }),
            "");
}

TEST(StandardOperatorsTest, EqualityOfTextsCostsWhatIsRead) {
  EXPECT_EQ(Differences({
                {"'' == ''", "true @0"},
                {"taint.effect == 'NoExecute'", "false @3"},
                {"taint.effect == 'NoSchedule!'", "false @3"},
                {"taint.effect != ''", "true @2"},
            }),
            "");
}

TEST(StandardOperatorsTest, MembersAreLookedUp) {
  EXPECT_EQ(Differences({
                {"taint.key in ['cpu', 'gpu']", "true @2"},
                {"'key' in {'key': 1}", "true @1"},
                {"taint.key in [taint.value, taint.key]", "true @18"},
                {"[4, 5][1]", "5 @2"},
                {"{'a': 4}.a", "4 @2"},
                {"{'a': 4}['b']", "error: no such key: b @2"},
                {"[4][1]", "error: index out of bounds: 1 @2"},
                {"size('héllo') + size([1]) + size({1: 2}) + size(b'ab')", "9 @7"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
