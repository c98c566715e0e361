#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"
#include "cel/program.h"

namespace plimsoll::cel {
namespace {

TEST(EqualityTest, ComparesNumbersAcrossKinds) {
  EXPECT_EQ(Differences({
                {"1 == dyn(1u)", "true @1"},
                {"dyn(1u) == 1.0", "true @1"},
                {"dyn(-1) == dyn(18446744073709551615u)", "false @1"},
                {"9007199254740993 == dyn(9007199254740992.0)", "true @1"},
                {"double('NaN') == double('NaN')", "false @1"},
            }),
            "");
}

TEST(EqualityTest, ComparesInside) {
  EXPECT_EQ(Differences({
                {"[1, [2]] == [1, [2]]",
                 "ERROR: <input>:1:5: expected type 'int' but found 'list(int)'\n | [1, [2]] == "
                 "[1, [2]]\n | "
                 "....^\nERROR: <input>:1:17: expected type 'int' but found 'list(int)'\n | [1, "
                 "[2]] == [1, "
                 "[2]]\n | ................^"},
                {"{'a': [1]} == {'a': [dyn(1u)]}", "true @1"},
                {"{'a': 1} == {'b': 1}", "false @1"},
                {"[1] == [1, 2]", "false @1"},
                {"optional.of(1) == optional.of(1)", "true @3"},
                {"optional.none() == optional.of(1)", "false @3"},
                {"type(1) == int", "true @1"},
                {"b'a' == b'a'", "true @1"},
                {"null == dyn(0)", "false @1"},
                {"timestamp('2024-01-01T01:00:00+01:00') == timestamp('2024-01-01T00:00:00Z')",
                 "true @1"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
