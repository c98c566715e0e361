#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(StandardTextTest, FindsParts) {
  EXPECT_EQ(Differences({
                {"'abc'.contains('bc')", "true @1"},
                {"'abc'.contains('')", "true @0"},
                {"'abc'.contains('abcd')", "false @1"},
                {"'abc'.startsWith('ab')", "true @1"},
                {"'abc'.endsWith('bc')", "true @1"},
                {"'日本'.startsWith('日')", "true @1"},
                {"taint.key.contains(taint.value)", "false @5"},
                {"dyn(1).startsWith('e')", "error: no such overload @1"},
                {"'a'.endsWith(dyn(1))", "error: no such overload @1"},
            }),
            "");
}

TEST(StandardTextTest, Matches) {
  EXPECT_EQ(Differences({
                {"taint.key.matches('^g')", "true @3"},
                {"matches(taint.key, 'p.$')", "true @3"},
                {"'a\\nb'.matches('^b')", "false @1"},
                {"'a\\nb'.matches('(?m)^b')", "true @2"},
                {"taint.key.matches(taint.value)", "false @5"},
                {"taint.key.matches('g' + '(')",
                 "error: error parsing regexp: missing closing ): `g(` @4"},
                {"matches('a', 'a(')", "plan: error parsing regexp: missing closing ): `a(`"},
                {"dyn(1).matches('a')", "error: no such overload @1"},
                {"dyn(1).matches(taint.key)", "error: no such overload: matches @3"},
                {"taint.key.matches(dyn(1))", "error: no such overload @3"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
