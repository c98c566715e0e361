#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(SetsTest, SetsAreComparedElementByElement) {
  EXPECT_EQ(Differences({
                {"sets.contains([1, 2, 3], [2])", "true @4"},
                {"sets.contains([1], [])", "true @1"},
                {"sets.contains([1], [1, 2])", "false @3"},
                {"sets.equivalent([1, 2], [2, 1, 1])", "true @13"},
                {"sets.equivalent([1], [1, 2])", "false @5"},
                {"sets.intersects([1, 2], [2, 3])", "true @5"},
                {"sets.intersects([1], [2])", "false @2"},
                {"sets.contains([dyn(1)], [dyn(1u), dyn(1.0)])", "true @3"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
