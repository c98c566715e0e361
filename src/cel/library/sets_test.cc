#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(SetsTest, CompareAsSets) {
  EXPECT_EQ(Differences({
                {"sets.contains([1, 2], [2])", "true @3"},
                {"sets.contains([1], [1, 2])", "false @3"},
                {"sets.contains([1], [])", "true @1"},
                {"sets.equivalent([1], [1, 1])", "true @5"},
                {"sets.equivalent([1, 2], [1])", "false @5"},
                {"sets.intersects([1], [1, 2])", "true @3"},
                {"sets.intersects([], [])", "false @1"},
                {"sets.equivalent([dyn(1)], [dyn(1u), dyn(1.0)])", "true @5"},
                {"sets.contains(dyn([1]), dyn(1))",
                 "error: no such overload: sets.contains(list, int) @2"},
                {"sets.contains(lists.range(3000), lists.range(3000))",
                 "error: operation cancelled: actual cost limit exceeded @9006023"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
