#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(RegexTest, FindsWhatMatches) {
  EXPECT_EQ(Differences({
                {"'abc 123 45'.find('[0-9]+')", R"("123" @4)"},
                {"'abc'.find('[0-9]')", R"("" @2)"},
                {"'a1b22'.findAll('[0-9]+')", R"(["1", "22"] @2)"},
                {"'a1b22'.findAll('[0-9]+', 1)", R"(["1"] @2)"},
                {"'a1'.findAll('[0-9]', 0)", "[] @2"},
                {"'a1'.findAll('x')", "[] @1"},
                {"'ab'.findAll('')", R"(["", "", ""] @0)"},
                {"'a'.find('(')", "plan: error parsing regexp: missing closing ): `(`"},
                {"'a'.find(taint.key + '(')",
                 "error: Illegal regex: error parsing regexp: missing closing ): `gpu(` @4"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
