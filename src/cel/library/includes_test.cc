#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(IncludesTest, AListIncludesItsElementsAndAnythingElseItself) {
  EXPECT_EQ(Differences({
                {"['a', 'b'].includes('b')", "true @0"},
                {"[1, 2].includes(3)", "false @2"},
                {"'a'.includes('a')", "true @0"},
                {"1.includes(2)", "false @1"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
