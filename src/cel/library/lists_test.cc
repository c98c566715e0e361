#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(ListsTest, TakesParts) {
  EXPECT_EQ(
      Differences({
          {"[1, 2, 3, 4].slice(1, 3)", "[2, 3] @13"},
          {"[1, 2].slice(-1, 1)", "error: cannot slice(-1, 1), negative indexes not supported @12"},
          {"[1, 2].slice(2, 1)",
           "error: cannot slice(2, 1), start index must be less than or equal to end index @12"},
          {"[1, 2].slice(0, 3)", "error: cannot slice(0, 3), list is length 2 @12"},
          {"[1, 2].slice(2, 2)", "[] @11"},
      }),
      "");
}

TEST(ListsTest, Flattens) {
  EXPECT_EQ(
      Differences({
          {"[[1], [2, 3]].flatten()", "[1, 2, 3] @13"},
          {"[dyn(1), dyn([2, 3])].flatten()", "[1, 2, 3] @13"},
          {"[[[1]], [[2]]].flatten(2)", "[1, 2] @15"},
          {"[[[1]], [[2]]].flatten(0)", "[[[1]], [[2]]] @11"},
          {"[[[1]]].flatten(-1)", "error: level must be non-negative @12"},
          {"dyn(1).flatten()", "error: no such overload: int.flatten() @12"},
          {"dyn({}).flatten(1)", "error: no such overload: map(dyn, dyn).flatten(int) @11"},
          {"dyn([1]).flatten(dyn('a'))", "error: no such overload: list(dyn).flatten(string) @12"},
      }),
      "");
}

TEST(ListsTest, Sorts) {
  EXPECT_EQ(
      Differences({
          {"['b', 'c', 'a'].sort()", "[\"a\", \"b\", \"c\"] @29"},
          {"[2.5, 1.5].sort()", "[1.5, 2.5] @19"},
          {"[true, false].sort()", "[false, true] @19"},
          {"[timestamp(2), timestamp(1)].sort()",
           "[timestamp(\"1970-01-01T00:00:01Z\"), timestamp(\"1970-01-01T00:00:02Z\")] @19"},
          {"[null].sort()", "error: list elements must be comparable @1"},
          {"[dyn(3), dyn('a')].sort()", "error: list elements must have the same type @1"},
          {"dyn(1).sort()", "error: no such overload: sort @1"},
          {"[].sort()", "[] @11"},
          {"['abc', 'a', 'ab'].sortBy(s, size(s))", "[\"a\", \"ab\", \"abc\"] @74"},
          {"lists.range(13).sortBy(x, x % 2)", "[8, 12, 2, 0, 4, 10, 6, 3, 7, 9, 5, 11, 1] @558"},
          {"lists.range(50).sortBy(x, x % 5)",
           "[10, 0, 25, 45, 15, 5, 30, 40, 35, 20, 1, 11, 36, 31, 6, 41, 16, 26, 46, 21, 12, 32, "
           "22, 47, 2, 42, 17, 27, 7, 37, 28, 18, 48, 33, 23, 13, 8, 3, 38, 43, 9, 4, 19, 39, 44, "
           "29, 24, 34, 14, 49] @5775"},
      }),
      "");
}

TEST(ListsTest, MakesOthers) {
  EXPECT_EQ(Differences({
                {"lists.range(3)", "[0, 1, 2] @14"},
                {"lists.range(0)", "[] @11"},
                {"lists.range(-1)", "error: lists.range: size must be non-negative, got -1 @12"},
                {"lists.range(1000001)",
                 "error: lists.range: size 1000001 exceeds maximum allowed (1000000) @12"},
                {"['a', 'b'].reverse()", "[\"b\", \"a\"] @13"},
                {"[].reverse()", "[] @11"},
                {"['b', 'b', 'c', 'b'].distinct()", "[\"b\", \"c\"] @44"},
                {"[dyn(1), dyn(1.0), dyn(1u), dyn('1')].distinct()", "[1, \"1\"] @43"},
                {"[[1], [2], [1]].distinct()", "[[1], [2]] @29"},
                {"lists.range(3000).distinct()",
                 "error: operation cancelled: actual cost limit exceeded @18003022"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
