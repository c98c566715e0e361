#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"
#include "cel/eval/steps.h"

namespace plimsoll::cel {
namespace {

TEST(LoopTest, RunsTheMacros) {
  EXPECT_EQ(Differences({
                {"[1, 2, 3].all(x, x > 0)", "true @16"},
                {"[1, 2, 3].exists(x, x > 1)", "true @16"},
                {"[1, 2, 3].exists_one(x, x > 2)", "true @10"},
                {"[1, 2, 3].map(x, x * 2)", "[2, 4, 6] @43"},
                {"[1, 2, 3].map(x, x > 1, x * 2)", "[4, 6] @35"},
                {"[1, 2, 3].filter(x, x > 1)", "[2, 3] @33"},
                {"[1, 2, 3].map(x, 42)", "[42, 42, 42] @7"},
                {"{'a': 1}.map(k, k)", "[\"a\"] @14"},
            }),
            "");
}

TEST(LoopTest, RunsTheMacrosOfTwoVariables) {
  EXPECT_EQ(Differences({
                {"[7, 8].all(i, v, i < v)", "true @13"},
                {"{'a': 1}.exists(k, v, v == 1)", "true @7"},
                {"[7, 8].transformList(i, v, i + v)", "[7, 9] @31"},
                {"[7, 8].transformMap(i, v, v > 7, v)", "{1: 8} @9"},
                {"{'a': 1, 'b': 2}.transformMapEntry(k, v, {v: k})", "{1: \"a\", 2: \"b\"} @69"},
                {"[1, 1].transformMapEntry(i, v, {v: i})",
                 "error: insert failed: key 1 already exists @69"},
            }),
            "");
}

TEST(LoopTest, NestsWithoutSharing) {
  EXPECT_EQ(
      Differences({
          {"[[1, 2], [3]].map(l, l.map(x, x + 1))", "[[2, 3], [4]] @71"},
          {"[1, 2].map(x, [3, 4].map(y, [x, y]))", "[[[1, 3], [1, 4]], [[2, 3], [2, 4]]] @123"},
      }),
      "");
}

TEST(LoopTest, AbsorbsErrorsInAllAndExistsOnly) {
  EXPECT_EQ(Differences({
                {"[0, 1].exists(x, 1 / x == 1)", "true @15"},
                {"[0, 1].all(x, 1 / x == 2)", "false @13"},
                {"[0, 1].all(x, 1 / x == 1)", "error: division by zero @13"},
                {"[0, 1].map(x, 1 / x)", "error: division by zero @29"},
                {"[0, 1].exists_one(x, 1 / x == 1)", "error: division by zero @10"},
            }),
            "");
}

TEST(LoopTest, RefusesWhatIsNoRange) {
  EXPECT_EQ(
      Differences({
          {"dyn(1).exists(x, true)", "error: got 'types.Int', expected iterable type @0"},
          {"dyn(1).all(i, v, true)", "error: unsupported comprehension range type: types.Int @0"},
          {"[1 / 0].all(x, true)", "error: division by zero @11"},
          {"[1 / 0].all(i, v, true)", "error: division by zero @11"},
          {"dyn(taint).map(k, k)", "[\"key\", \"value\", \"effect\"] @42"},
      }),
      "");
}

TEST(LoopTest, BindsLazilyAndOnce) {
  EXPECT_EQ(Differences({
                {"cel.bind(x, 1 / 0, true)", "true @0"},
                {"cel.bind(x, taint.key, x + x)", "\"gpugpu\" @5"},
                {"cel.bind(x, taint.key, [1, 2].map(i, x))", "[\"gpu\", \"gpu\"] @29"},
                {"cel.bind(x, taint.key, cel.bind(y, x + '!', y + y))", "\"gpu!gpu!\" @7"},
                {"cel.bind(x, 1 / 0, x + x)", "error: division by zero @4"},
                {"false && cel.bind(x, taint.key, x == '')", "false @0"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
