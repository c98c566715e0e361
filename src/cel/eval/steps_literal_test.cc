#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"
#include "cel/eval/steps.h"

namespace plimsoll::cel {
namespace {

TEST(LiteralTest, ConstantsAreFree) {
  EXPECT_EQ(Differences({
                {"[1, 2]", "[1, 2] @0"},
                {"{'a': [1]}", "{\"a\": [1]} @0"},
                {"[]", "[] @0"},
            }),
            "");
}

TEST(LiteralTest, ChargesWhatIsMade) {
  EXPECT_EQ(Differences({
                {"[taint.key]", "[\"gpu\"] @12"},
                {"{taint.key: 1}", "{\"gpu\": 1} @32"},
                {"[1 / 0, 1 % 0]", "error: division by zero @11"},
                {"{'a': 1 / 0}", "error: division by zero @31"},
            }),
            "");
}

TEST(LiteralTest, LeavesOutAbsentParts) {
  EXPECT_EQ(Differences({
                {"[?optional.of(1), ?optional.none(), 2]", "[1, 2] @12"},
                {"{?'a': optional.of(1), ?'b': optional.none()}", "{\"a\": 1} @32"},
                {"{'a': 1, ?'a': optional.none()}", "{} @31"},
            }),
            "");
}

TEST(LiteralTest, KeepsTheLastOfEqualKeys) {
  EXPECT_EQ(Differences({
                {"{'a': 1, taint.key: 2, 'gpu': 3}", "{\"a\": 1, \"gpu\": 3} @32"},
                {"size({dyn(1): 'a', dyn(1u): 'b', dyn(1.0): 'c'})", "3 @1"},
            }),
            "");
}

TEST(LiteralTest, CannotMakeStructures) {
  EXPECT_EQ(Differences({
                {"kubernetes.Taint{}", "error: unknown type 'kubernetes.Taint' @40"},
                {"kubernetes.Taint{key: 'gpu'}.key", "error: unknown type 'kubernetes.Taint' @41"},
                {"kubernetes.Taint{key: string(1 / 0)}", "error: division by zero @42"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
