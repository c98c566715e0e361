#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(StringsTest, PlacesAreCodePoints) {
  EXPECT_EQ(Differences({
                {"'täst'.charAt(1)", R"("ä" @1)"},
                {"'abc'.charAt(3)", R"("" @1)"},
                {"'abc'.charAt(4)", "error: index out of range: 4 @1"},
                {"'täst'.indexOf('s')", "2 @0"},
                {"'hello'.indexOf('l', 3)", "3 @0"},
                {"'hello'.indexOf('x')", "-1 @0"},
                {"'hello'.indexOf('')", "0 @0"},
                {"'hello'.indexOf('l', -1)", "error: index out of range: -1 @0"},
                {"'hello'.lastIndexOf('l')", "3 @0"},
                {"'hello'.lastIndexOf('l', 2)", "2 @0"},
                {"'hello'.lastIndexOf('')", "5 @0"},
                {"'héllo'.substring(1)", R"("éllo" @1)"},
                {"'héllo'.substring(1, 3)", R"("él" @1)"},
                {"'hello'.substring(6)", "error: index out of range: 6 @1"},
                {"'hello'.substring(3, 1)", "error: invalid substring range. start: 3, end: 1 @1"},
            }),
            "");
}

TEST(StringsTest, OnlyAsciiChangesCase) {
  EXPECT_EQ(Differences({
                {"'TacoCÉ'.lowerAscii()", R"("tacocÉ" @1)"},
                {"'tacoé'.upperAscii()", R"("TACOé" @1)"},
            }),
            "");
}

TEST(StringsTest, TextsAreTakenApartAndPutTogether) {
  EXPECT_EQ(Differences({
                {"'wow'.replace('w', 'W')", R"("WoW" @1)"},
                {"'wow'.replace('w', 'W', 1)", R"("Wow" @1)"},
                {"'wow'.replace('w', 'W', 0)", R"("wow" @1)"},
                {"'ab'.replace('', '-')", R"("-a-b-" @1)"},
                {"'a,b,c'.split(',')", R"(["a", "b", "c"] @1)"},
                {"'a,b,c'.split(',', 2)", R"(["a", "b,c"] @1)"},
                {"'a,b'.split(',', 0)", "[] @1"},
                {"'aé'.split('')", R"(["a", "é"] @1)"},
                {"['a', 'b'].join('-')", R"("a-b" @1)"},
                {"['a', 'b'].join()", R"("ab" @1)"},
                {"[].join(',')", R"("" @0)"},
                {"dyn([1]).join(',')", "error: no such overload: join(list, string) @1"},
                {R"(' \t a b\n'.trim())", R"("a b" @1)"},
                {R"('\u3000x\u0085'.trim())", R"("x" @1)"},
                {R"(strings.quote('a"b\t'))", R"("\"a\\\"b\\t\"" @1)"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
