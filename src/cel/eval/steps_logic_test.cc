#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"
#include "cel/eval/steps.h"

namespace plimsoll::cel {
namespace {

TEST(LogicTest, ShortCircuits) {
  EXPECT_EQ(Differences({
                {"true || 1 / 0 == 1", "true @0"},
                {"false && 1 / 0 == 1", "false @0"},
                {"taint.key == 'x' && taint.key == 'y'", "false @3"},
                {"taint.key == 'gpu' || taint.key == 'y'", "true @3"},
            }),
            "");
}

TEST(LogicTest, AbsorbsErrorsOnEitherSide) {
  EXPECT_EQ(Differences({
                {"1 / 0 == 1 || true", "true @2"},
                {"1 / 0 == 1 && false", "false @2"},
            }),
            "");
}

TEST(LogicTest, ReportsTheLeftmostError) {
  EXPECT_EQ(Differences({
                {"1 / 0 == 1 || 1 % 0 == 1", "error: division by zero @4"},
                {"1 / 0 == 1 && true && 1 % 0 == 1", "error: division by zero @4"},
                {"dyn(1) || 1 / 0 == 1", "error: no such overload @2"},
                {"dyn('x') && true", "error: no such overload @0"},
                {"false || dyn('x')", "error: no such overload @0"},
            }),
            "");
}

TEST(LogicTest, BranchesOnBoolsOnly) {
  EXPECT_EQ(Differences({
                {"taint.key == 'gpu' ? 1 : 2", "1 @3"},
                {"taint.key == 'x' ? 'y' : taint.value", "\"42\" @4"},
                {"dyn(1) ? 1 : 2", "error: no such overload @0"},
                {"1 / 0 == 1 ? 1 : 2", "error: division by zero @2"},
                {"(true ? taint : taint).key", "\"gpu\" @1"},
            }),
            "");
}

TEST(LogicTest, NegatesBoolsOnly) {
  EXPECT_EQ(Differences({
                {"!true", "false @1"},
                {"!dyn(1)", "error: no such overload @1"},
                {"!(1 / 0 == 1)", "error: division by zero @3"},
            }),
            "");
}

TEST(LogicTest, TakesAlternativesOnlyWhenNeeded) {
  EXPECT_EQ(Differences({
                {"optional.of(1).orValue(1 / 0)", "1 @1"},
                {"optional.none().orValue(taint.key)", "\"gpu\" @3"},
                {"optional.none().or(optional.of(1))", "optional.of(1) @2"},
                {"dyn(1).orValue(1)", "error: no such overload @0"},
                {"taint.?key.or(optional.of(string(1 / 0)))", "optional.of(\"gpu\") @2"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
