#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(StringsFormatTest, ClausesWriteForReadersOfEnglish) {
  EXPECT_EQ(Differences({
                {"'%s has %d'.format([taint.key, 2])", R"("gpu has 2" @13)"},
                {"'%.2f'.format([1234.567])", R"("1,234.57" @1)"},
                {"'%f'.format([-1.0 / 0.0])", R"("-∞" @12)"},
                {"'%e'.format([1234.5])", R"("1.234500×10⁰³" @1)"},
                {"'%d'.format([-1234567])", R"("-1234567" @1)"},
                {"'%x %X %o %b'.format([255, 'hi', 8, 5])", R"("ff 6869 10 101" @2)"},
                {"'100%%'.format([])", R"("100%" @1)"},
            }),
            "");
}

TEST(StringsFormatTest, ValuesInsideOthersLookLikeLiterals) {
  EXPECT_EQ(Differences({
                {"'%s'.format([[1.5, 2.0]])", R"("[1.500000, 2.000000]" @1)"},
                {"'%s'.format([['a', 'b']])", R"("[\"a\", \"b\"]" @1)"},
                {"'%s'.format([{'b': 1, 'a': 2}])", R"("{\"a\":2, \"b\":1}" @1)"},
                {"'%s %s %s'.format([1.5, null, true])", R"("1.5 null true" @1)"},
                {"'%s'.format([[duration('90s')]])", R"("[duration(\"90s\")]" @1)"},
                {"'%s'.format([timestamp(0)])", R"("1970-01-01T00:00:00Z" @1)"},
            }),
            "");
}

TEST(StringsFormatTest, WhatTheCheckerCannotSeeFailsWhenRun) {
  EXPECT_EQ(
      Differences({
          {"'%d'.format([dyn('a')])",
           "error: error during formatting: decimal clause can only be used on integers, was given "
           "string @1"},
          {"(taint.key + '%d').format([])", "error: index 0 out of range @4"},
          {"(taint.key + '%').format([1])", "error: unexpected end of string @4"},
          {"(taint.key + '%q').format([1])",
           R"(error: could not parse formatting clause: unrecognized formatting clause "q" @4)"},
      }),
      "");
}

}  // namespace
}  // namespace plimsoll::cel
