#include "cel/eval/operators.h"

#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(OperatorsTest, FindsMembers) {
  EXPECT_EQ(Differences({
                {"2 in [1, taint.key == 'gpu' ? 2 : 3]", "true @15"},
                {"'a' in {'a': 1}", "true @1"},
                {"'key' in dyn(taint)", "true @3"},
                {"1 in dyn(1)", "error: no such overload @1"},
                {"dyn(1.0) in {1: 2}", "true @1"},
            }),
            "");
}

TEST(OperatorsTest, CountsSizes) {
  EXPECT_EQ(Differences({
                {"size('é😀')", "2 @1"},
                {"size(b'\\xc3\\xa9')", "2 @1"},
                {"size([1, 2])", "2 @1"},
                {"size({'a': 1})", "1 @1"},
                {"size(dyn(taint))", "3 @3"},
                {"dyn(duration('1s')).size()", "error: no such overload @1"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
