#include <gtest/gtest.h>

#include "cel_extensions/extension_answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(StringsLatestTest, WritesAsGoDoes) {
  EXPECT_EQ(ExtensionDifferences({
                {"'%f'.format([1234567.891])", "\"1234567.891000\""},
                {"'%.2f'.format([3])", "\"3.00\""},
                {"'%e'.format([1234.5678])", "\"1.234568e+03\""},
                {"'%.1e'.format([5u])", "\"5.0e+00\""},
                {"'%d'.format([1.5])", "\"1.5\""},
                {"'%d'.format([0.0 / 0.0])", "\"NaN\""},
                {"'%e'.format([-1.0 / 0.0])", "\"-Infinity\""},
                {"'%b %b %b'.format([-5, 5u, false])", "\"-101 101 0\""},
                {"'%x %X %x'.format([-26, 255u, 'hi'])", "\"-1a FF 6869\""},
                {"'%o'.format([8u])", "\"10\""},
            }),
            "");
}

TEST(StringsLatestTest, WritesValuesPlainly) {
  EXPECT_EQ(ExtensionDifferences({
                {"'%s'.format([['abc', 3.14, null, [9], timestamp('2023-02-03T23:31:20+01:00')]])",
                 "\"[abc, 3.14, null, [9], 2023-02-03T22:31:20Z]\""},
                {"'%s'.format([{'b': b'x', 'a': duration('2h'), 1: true}])",
                 "\"{1: true, a: 7200s, b: x}\""},
                {"'%s'.format([1e6])", "\"1000000\""},
                {"'%s %s'.format([int, 1.0 / 0.0])", "\"int Infinity\""},
            }),
            "");
}

TEST(StringsLatestTest, RefusesTheRest) {
  EXPECT_EQ(ExtensionDifferences({
                {"'%d'.format(['a'])",
                 "error: error during formatting: decimal clause can only be used on ints, uints, "
                 "and doubles, was given string"},
                {"'%f'.format(['a'])",
                 "error: error during formatting: fixed-point clause can only be used on ints, "
                 "uints, and doubles, was given string"},
                {"'%e'.format([null])",
                 "error: error during formatting: scientific clause can only be used on ints, "
                 "uints, and doubles, was given null_type"},
                {"'%b'.format(['a'])",
                 "error: error during formatting: only ints, uints, and bools can be formatted as "
                 "binary, was given string"},
                {"'%x'.format([1.5])",
                 "error: error during formatting: only ints, uints, bytes, and strings can be "
                 "formatted as hex, was given double"},
                {"'%o'.format([1.5])",
                 "error: error during formatting: octal clause can only be used on ints and uints, "
                 "was given double"},
            }),
            "");
}

TEST(StringsLatestTest, Reverses) {
  EXPECT_EQ(ExtensionDifferences({
                {"'Ta©oCαt'.reverse()", "\"tαCo©aT\""},
                {"''.reverse()", "\"\""},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
