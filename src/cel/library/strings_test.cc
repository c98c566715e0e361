#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"
#include "cel/library/strings_parts.h"

namespace plimsoll::cel {
namespace {

TEST(StringsTest, TakesParts) {
  EXPECT_EQ(
      Differences({
          {"'日本語'.charAt(1)", "\"本\" @1"},
          {"'abc'.charAt(3)", "\"\" @1"},
          {"'abc'.charAt(4)", "error: index out of range: 4 @1"},
          {"'abc'.charAt(-1)", "error: index out of range: -1 @1"},
          {"'tacocat'.substring(4)", "\"cat\" @1"},
          {"'tacocat'.substring(0, 4)", "\"taco\" @1"},
          {"'日本語'.substring(1, 2)", "\"本\" @1"},
          {"'tacocat'.substring(2, 1)", "error: invalid substring range. start: 2, end: 1 @1"},
          {"'tacocat'.substring(0, 8)", "error: index out of range: 8 @1"},
          {"'tacocat'.substring(-1)", "error: index out of range: -1 @1"},
      }),
      "");
}

TEST(StringsTest, FindsPlaces) {
  EXPECT_EQ(Differences({
                {"'ta©o©αT'.indexOf('©', 3)", "4 @1"},
                {"'hello mellow'.indexOf('')", "0 @1"},
                {"'hello mellow'.indexOf('', 13)", "12 @1"},
                {"'hello'.indexOf('x')", "-1 @0"},
                {"'hello'.indexOf('l', 30)", "-1 @0"},
                {"'hello'.indexOf('l', -1)", "error: index out of range: -1 @0"},
                {"'ta©o©αT'.lastIndexOf('©')", "4 @1"},
                {"'ta©o©αT'.lastIndexOf('©', 3)", "2 @1"},
                {"'hello'.lastIndexOf('')", "5 @0"},
                {"'hello'.lastIndexOf('', 3)", "3 @0"},
                {"''.lastIndexOf('a')", "-1 @0"},
                {"'hello'.lastIndexOf('l', -1)", "error: index out of range: -1 @0"},
                {"'hello'.lastIndexOf('l', 30)", "-1 @0"},
                {"dyn(1).indexOf(1)", "error: no such overload: indexOf(int, int) @1"},
            }),
            "");
}

TEST(StringsTest, Changes) {
  EXPECT_EQ(Differences({
                {"'TacoCÆt'.lowerAscii()", "\"tacocÆt\" @1"},
                {"'tacoCαt'.upperAscii()", "\"TACOCαT\" @1"},
                {"''.lowerAscii()", "\"\" @0"},
                {"'hello'.replace('', '_')", "\"_h_e_l_l_o_\" @1"},
                {"'hello'.replace('', '_', 2)", "\"_h_ello\" @1"},
                {"'aaa'.replace('aa', 'b')", "\"ba\" @1"},
                {"'abc'.replace('b', 'x', 0)", "\"abc\" @1"},
                {"'abc'.replace('x', 'y')", "\"abc\" @1"},
                {"'\\u00a0\\u2003x\\u3000'.trim()", "\"x\" @1"},
                {"strings.quote('a\\n\"é\\\\')", "\"\\\"a\\\\n\\\\\\\"é\\\\\\\\\\\"\" @1"},
            }),
            "");
}

TEST(StringsTest, SplitsAndJoins) {
  EXPECT_EQ(Differences({
                {"'a,b,,c'.split(',')", "[\"a\", \"b\", \"\", \"c\"] @2"},
                {"'hello hello hello'.split(' ', 2)", "[\"hello\", \"hello hello\"] @4"},
                {"'a b'.split(' ', 0)", "[] @1"},
                {"'a b c'.split(' ', -1)", "[\"a\", \"b\", \"c\"] @1"},
                {"'日本'.split('')", "[\"日\", \"本\"] @1"},
                {"'abc'.split('', 2)", "[\"a\", \"bc\"] @1"},
                {"''.split('')", "[] @0"},
                {"''.split(',')", "[\"\"] @0"},
                {"'abc'.split('abc')", "[\"\", \"\"] @1"},
                {"['a', '', 'b'].join(',')", "\"a,,b\" @1"},
                {"[].join('/')", "\"\" @0"},
                {"['a', 'b'].join()", "\"ab\" @1"},
                {"[dyn('a'), dyn(1.5)].join()", "error: join: invalid input: 1.5 @1"},
                {"[dyn('a'), dyn(null)].join()", "error: join: invalid input: 0 @1"},
                {"[dyn('a'), dyn(duration('90s'))].join()", "error: join: invalid input: 1m30s @1"},
                {"[dyn('a'), dyn([1])].join()", "error: join: invalid input: list @1"},
                {"[dyn(1)].join()", "error: no such overload: join(list) @1"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
