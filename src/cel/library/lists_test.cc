#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(ListsTest, PartsOfLists) {
  EXPECT_EQ(
      Differences({
          {"[1, 2, 3, 4].slice(1, 3)", "[2, 3] @13"},
          {"[1, 2].slice(0, 0)", "[] @11"},
          {"[1].slice(1, 0)",
           "error: cannot slice(1, 0), start index must be less than or equal to end index @12"},
          {"[1].slice(0, 2)", "error: cannot slice(0, 2), list is length 1 @12"},
          {"[1].slice(-1, 1)", "error: cannot slice(-1, 1), negative indexes not supported @12"},
          {"[[1], [2, 3]].flatten()", "[1, 2, 3] @13"},
          {"[[[1]], [[2]]].flatten(2)", "[1, 2] @15"},
          {"[[[1]], [[2]]].flatten(0)", "[[[1]], [[2]]] @11"},
          {"[[1]].flatten(-1)", "error: level must be non-negative @12"},
      }),
      "");
}

TEST(ListsTest, ListsInOtherOrder) {
  EXPECT_EQ(Differences({
                {"[3, 1, 2].sort()", "[1, 2, 3] @29"},
                {"['b', 'a'].sort()", R"(["a", "b"] @19)"},
                {"dyn([3, 1, 2]).sort()", "[1, 2, 3] @1"},
                {"['ccc', 'a', 'bb'].sortBy(s, size(s))", R"(["a", "bb", "ccc"] @74)"},
                {"[3, 2, 1].reverse()", "[1, 2, 3] @14"},
                {"[1, 2, 2, 1].distinct()", "[1, 2] @43"},
                {"lists.range(3)", "[0, 1, 2] @14"},
                {"lists.range(0)", "[] @11"},
            }),
            "");
}

TEST(ListsTest, TiesKeepTheirOrder) {
  EXPECT_EQ(Differences({
                {"['b1', 'a1', 'b2', 'a2'].sortBy(s, s.substring(0, 1))",
                 R"(["a1", "a2", "b1", "b2"] @103)"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
