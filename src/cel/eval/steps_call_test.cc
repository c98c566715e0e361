#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"
#include "cel/eval/signature.h"

namespace plimsoll::cel {
namespace {

TEST(CallTest, ChargesCallsWithFailedArguments) {
  EXPECT_EQ(Differences({
                {"size(string(1 / 0))", "error: division by zero @3"},
                {"(1 / 0) + 1", "error: division by zero @2"},
                {"'a'.startsWith(string(1 / 0))", "error: division by zero @3"},
                {"string(1 / 0).matches('a')", "error: division by zero @2"},
                {"string(1 / 0).replace('a', 'b')", "error: division by zero @2"},
            }),
            "");
}

TEST(CallTest, GuardsSignaturesBehindDyn) {
  EXPECT_EQ(Differences({
                {"dyn(1).split('a')", "error: no such overload: split(int, string) @1"},
                {"dyn('a,b').split(',')", "[\"a\", \"b\"] @1"},
                {"dyn(1).indexOf(1)", "error: no such overload: indexOf(int, int) @1"},
                {"dyn([1, 2]).indexOf(2)", "1 @2"},
                {"dyn(['a']).sum()", "error: no such overload: sum(list) @0"},
            }),
            "");
}

TEST(CallTest, NamesTheOperatorOnlyWhereUpstreamDoes) {
  EXPECT_EQ(Differences({
                {"dyn(null) < 1", "error: no such overload: _<_ @1"},
                {"1 < dyn('a')", "error: no such overload @1"},
                {"dyn(true) + dyn(true)", "error: no such overload: _+_ @1"},
                {"dyn('a') - dyn('b')", "error: no such overload @1"},
                {"-dyn(5u)", "error: no such overload: -_ @1"},
                {"dyn(1).size()", "error: no such overload: size @1"},
                {"1 + dyn(1u)", "error: no such overload @1"},
            }),
            "");
}

TEST(CallTest, ComparesWithoutFailing) {
  EXPECT_EQ(Differences({
                {"1 == dyn('a')", "false @1"},
                {"1 != dyn('a')", "true @1"},
                {"[1] == [dyn(1.0)]", "true @1"},
                {"dyn(taint) == {'key': 'gpu', 'value': '42', 'effect': 'NoSchedule'}", "true @3"},
            }),
            "");
}

TEST(CallTest, FindsConstantsInSetsForFree) {
  EXPECT_EQ(Differences({
                {"taint.key in ['a', 'gpu']", "true @2"},
                {"taint.key in []", "false @0"},
                {"1 / 0 in []", "false @0"},
                {"dyn(2.0) in [1, 2]", "true @0"},
                {"dyn(1u) in [1]", "true @0"},
                {"taint.key in ['a', taint.value]", "false @16"},
                {"dyn(9007199254740992.0) in [9007199254740993]", "true @0"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
