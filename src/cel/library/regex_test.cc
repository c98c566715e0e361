#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(RegexTest, FindsTheFirst) {
  EXPECT_EQ(Differences({
                {"'abc 123'.find('[0-9]+')", "\"123\" @2"},
                {"'abc'.find('x')", "\"\" @1"},
                {"'abc'.find('(b)(c)')", "\"bc\" @2"},
                {"taint.key.find('g' + '(')",
                 "error: Illegal regex: error parsing regexp: missing closing ): `g(` @4"},
                {"taint.key.find('(')", "plan: error parsing regexp: missing closing ): `(`"},
                {"dyn(1).find('a')", "error: no such overload @1"},
                {"dyn(1).find(taint.key)", "error: no such overload: find(int, string) @3"},
            }),
            "");
}

TEST(RegexTest, FindsAll) {
  EXPECT_EQ(Differences({
                {"'123 abc 456'.findAll('[0-9]+')", "[\"123\", \"456\"] @4"},
                {"'123 abc 456'.findAll('[0-9]+', 1)", "[\"123\"] @4"},
                {"'123 abc 456'.findAll('[0-9]+', 0)", "[] @4"},
                {"'123 abc 456'.findAll('[0-9]+', -1)", "[\"123\", \"456\"] @4"},
                {"'aaa'.findAll('a*')", "[\"aaa\"] @1"},
                {"'abc'.findAll('')", "[\"\", \"\", \"\", \"\"] @0"},
                {"''.findAll('')", "[\"\"] @0"},
                {"'abc'.findAll('b*')", "[\"\", \"b\", \"\"] @1"},
                {"'é日'.findAll('')", "[\"\", \"\", \"\"] @0"},
                {"taint.key.findAll(taint.key + '|p', 5)", "[\"gpu\"] @7"},
                {"dyn(1).findAll('a', 1)", "error: no such overload @1"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
