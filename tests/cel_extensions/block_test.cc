#include <gtest/gtest.h>

#include "cel_extensions/extension_answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(BlockTest, ValuesAreNamedByTheirPlace) {
  EXPECT_EQ(ExtensionDifferences({
                {"cel.block([1, cel.index(0) + 1], cel.index(1) * 10)", "20"},
                {"cel.block([1 / 0], true)", "true"},
                {"cel.block([1 / 0], cel.index(0) == 1)", "error: division by zero"},
                {"cel.block([[1, 2]], cel.index(0).map(cel.iterVar(0, 0), cel.iterVar(0, 0) * 2))",
                 "[2, 4]"},
                {"cel.block([], 1)", "1"},
            }),
            "");
}

TEST(BlockTest, RefusesTheRest) {
  EXPECT_EQ(ExtensionDifferences({
                {"cel.block(1, 2)", "cel.block requires the first arg to be a list literal"},
                {"cel.block([1], cel.index(-1))", "must be a non-negative int literal"},
                {"cel.block([1], cel.index('a'))", "must be a non-negative int literal"},
                {"cel.index(0)", "undeclared reference to '@index:0' (in container '')"},
                {"dyn(1).index(0)", "undeclared reference to 'index' (in container '')"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
