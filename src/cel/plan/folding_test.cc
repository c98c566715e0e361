#include "cel/plan/folding.h"

#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(FoldingTest, FoldsConversionsOfConstants) {
  EXPECT_EQ(Differences({
                {"int('7')", "7 @0"},
                {"[int('7'), 8]", "[7, 8] @0"},
                {"type(1)", "int @0"},
                {"dyn(1)", "1 @0"},
            }),
            "");
}

TEST(FoldingTest, FailsToPlanWhatCanOnlyFail) {
  EXPECT_EQ(Differences({
                {"true || int('x') == 1", "plan: type conversion error from 'string' to 'int'"},
                {"uint(dyn(true))", "plan: no such overload: uint(bool)"},
                {"kubernetes.Taint", "plan: reference to undefined type: kubernetes.Taint"},
                {"{b'a': 1}", "plan: unsupported key type: bytes"},
                {"taint.key.matches('a' + '(')",
                 "error: error parsing regexp: missing closing ): `a(` @4"},
                {"[int].all(t, t == int)", "plan: reference to undefined type: t"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
