#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(TwoVariableTest, ConditionsOnIndexOrKeyAndValue) {
  EXPECT_EQ(
      Differences({
          {"[10, 20].all(i, v, v > i)", "true @13"},
          {"[10, 20].exists(i, v, v == 20 && i == 1)", "true @15"},
          {"{'a': 1}.exists(k, v, k == 'a' && v == 1)", "true @9"},
          {"[5, 6].existsOne(i, v, v > i)", "false @12"},
          {"[5, 6].exists_one(i, v, v > 5)", "true @8"},
          {"dyn(1).all(i, v, true)", "error: unsupported comprehension range type: types.Int @0"},
      }),
      "");
}

TEST(TwoVariableTest, TransformationsToListsAndMaps) {
  EXPECT_EQ(Differences({
                {"[1, 2].transformList(i, v, i + v)", "[1, 3] @31"},
                {"[1, 2].transformList(i, v, v > 1, i)", "[1] @18"},
                {"['x'].transformMap(i, v, v + '!')", R"({0: "x!"} @6)"},
                {"{'a': 1, 'b': 2}.transformMap(k, v, v > 1, -v)", R"({"b": -2} @10)"},
                {"{'a': 1}.transformMapEntry(k, v, {v: k})", R"({1: "a"} @35)"},
                {"[7, 7].transformMapEntry(i, v, {v: i})",
                 "error: insert failed: key 7 already exists @69"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
