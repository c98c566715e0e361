#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(IncludesTest, LooksIntoListsAndTakesAnythingElseForOne) {
  EXPECT_EQ(Differences({
                {"[1, 2].includes(2)", "true @2"},
                {"[1].includes(1u)", "true @1"},
                {"['a'].includes(1)", "false @0"},
                {"'model-a'.includes('model-a')", "true @0"},
                {"(1).includes(2)", "false @1"},
                {"null.includes(null)", "true @1"},
                {"{'a': 1}.includes('a')", "false @1"},
                {"quantity('1').includes('a')", "false @2"},
                {"[taint.key, taint.value].includes('42')", "true @14"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
