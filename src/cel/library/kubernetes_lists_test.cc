#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(KubernetesListsTest, Sorted) {
  EXPECT_EQ(Differences({
                {"['b', 'a'].isSorted()", "false @0"},
                {"[1, 1, 2].isSorted()", "true @3"},
                {"[double('NaN'), 1.0].isSorted()", "true @2"},
                {"[null].isSorted()", "error: no such overload: isSorted(list) @1"},
                {"[dyn(1), dyn('a'), dyn(0)].isSorted()", "true @2"},
                {"[dyn(1), dyn(null)].isSorted()", "error: no such overload @2"},
            }),
            "");
}

TEST(KubernetesListsTest, Sums) {
  EXPECT_EQ(Differences({
                {"[1, 3].sum()", "4 @2"},
                {"[1u, 3u].sum()", "4u @2"},
                {"[0.5, 1.5].sum()", "2.0 @2"},
                {"[duration('1s'), duration('2s')].sum()", "duration(\"3s\") @2"},
                {"[].sum()", "0 @0"},
                {"[9223372036854775807, 1].sum()", "error: integer overflow @2"},
                {"[18446744073709551615u, 1u].sum()", "error: unsigned integer overflow @2"},
                {"dyn(['a']).sum()", "error: no such overload: sum(list) @0"},
                {"[dyn(1), dyn(1.0)].sum()", "error: no such overload @2"},
            }),
            "");
}

TEST(KubernetesListsTest, PicksTheBest) {
  EXPECT_EQ(Differences({
                {"[1, 3, 2].max()", "3 @3"},
                {"[1, 3, 2].min()", "1 @3"},
                {"['b', 'a'].min()", "\"a\" @0"},
                {"[].min()", "error: min called on empty list @0"},
                {"[].max()", "error: max called on empty list @0"},
                {"[double('NaN'), 1.0].max()", "NaN @2"},
                {"[dyn(1), dyn(2.5), dyn(2u)].max()", "2.5 @3"},
                {"[dyn(1), dyn('a')].max()", "1 @1"},
            }),
            "");
}

TEST(KubernetesListsTest, FindsPlaces) {
  EXPECT_EQ(Differences({
                {"[1, 2, 2].indexOf(2)", "1 @3"},
                {"[1, 2, 2].lastIndexOf(2)", "2 @3"},
                {"[1].indexOf(3)", "-1 @1"},
                {"[dyn(1)].indexOf(1.0)", "0 @1"},
                {"[null].indexOf(null)", "0 @1"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
