#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(KubernetesListsTest, OneWalkOverTheList) {
  EXPECT_EQ(Differences({
                {"[1, 2, 2].isSorted()", "true @3"},
                {"['b', 'a'].isSorted()", "false @0"},
                {"[].isSorted()", "true @0"},
                {"[1, 2, 3].sum()", "6 @3"},
                {"[].sum()", "0 @0"},
                {"[1.5, 2.5].sum()", "4.0 @2"},
                {"[duration('1s'), duration('2s')].sum()", R"(duration("3s") @2)"},
                {"[9223372036854775807, 1].sum()", "error: integer overflow @2"},
                {"[3, 1].min()", "1 @2"},
                {"[3u, 1u].max()", "3u @2"},
                {"['b', 'abcdefghijk'].min()", R"("abcdefghijk" @1)"},
                {"[].min()", "error: min called on empty list @0"},
                {"[].max()", "error: max called on empty list @0"},
                {"['a', 'b', 'a'].indexOf('a')", "0 @0"},
                {"['a', 'b', 'a'].lastIndexOf('a')", "2 @0"},
                {"[1].indexOf(2)", "-1 @1"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
