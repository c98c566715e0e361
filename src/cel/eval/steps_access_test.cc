#include <gtest/gtest.h>

#include "cel/eval/access.h"
#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(AccessTest, ReadsFieldsKeysAndElements) {
  EXPECT_EQ(Differences({
                {"taint.key", "\"gpu\" @2"},
                {"dyn(taint)['key']", "\"gpu\" @4"},
                {"{'a': {'b': 1}}.a.b", "1 @3"},
                {"[[1, 2], [3]][0][1]", "2 @3"},
                {"{1: 'a'}[dyn(1.0)]", "\"a\" @2"},
                {"{1u: 'a'}[dyn(1)]", "\"a\" @2"},
                {"[1, 2, 3][dyn(1u)]", "2 @2"},
            }),
            "");
}

TEST(AccessTest, ChargesTheHeadAndEveryStep) {
  EXPECT_EQ(Differences({
                {"{'a': {'b': 1}}.a.x.c",
                 "ERROR: <input>:1:20: type 'int' does not support field selection\n | {'a': {'b': "
                 "1}}.a.x.c\n | ...................^"},
                {"{'gpu': '42'}[taint.key]", "\"42\" @3"},
                {"[1, 2, 3][size(taint.key) - 1]", "3 @6"},
                {"dyn(taint).nope", "error: no such key: nope @4"},
            }),
            "");
}

TEST(AccessTest, SaysWhatIsMissing) {
  EXPECT_EQ(Differences({
                {"[1, 2, 3][-1]", "error: index out of bounds: -1 @2"},
                {"[1, 2, 3][3]", "error: index out of bounds: 3 @2"},
                {"{'a': 1}['b']", "error: no such key: b @2"},
                {"{1: 'a'}[dyn(1.5)]", "error: no such key: 1.5 @2"},
                {"[1][dyn('a')]", "error: unsupported index type 'string' in list @2"},
                {"[1][dyn(0.5)]", "error: unsupported index value 0.5 in list @2"},
                {"dyn(1).a", "error: no such key: a @2"},
                {"{true: 1}[false]", "error: no such key: false @2"},
                {"{'a': 1}[dyn(null)]", "plan: invalid qualifier type: types.Null"},
            }),
            "");
}

TEST(AccessTest, TestsPresenceForFree) {
  EXPECT_EQ(Differences({
                {"has(taint.value)", "true @1"},
                {"has(dyn(taint).nope)", "false @3"},
                {"has({'a': {'b': 1}}.a.b)", "true @2"},
                {"has(dyn(1).a)", "false @1"},
                {"has(dyn([1]).a)", "error: unsupported index type 'string' in list @1"},
                {"!has(taint.key)", "false @2"},
            }),
            "");
}

TEST(AccessTest, FollowsOptionalChains) {
  EXPECT_EQ(Differences({
                {"taint.?key", "optional.of(\"gpu\") @2"},
                {"dyn(taint).?nope", "optional.none() @3"},
                {"{'a': {'b': 1}}.?a.b", "optional.of(1) @3"},
                {"{'a': {'b': 1}}.?x.b.c",
                 "ERROR: <input>:1:21: type 'int' does not support field selection\n | {'a': {'b': "
                 "1}}.?x.b.c\n | ....................^"},
                {"{'a': {'b': 1}}.?a.?x.c",
                 "ERROR: <input>:1:22: type 'int' does not support field selection\n | {'a': {'b': "
                 "1}}.?a.?x.c\n | .....................^"},
                {"[1, 2][?5]", "optional.none() @1"},
                {"[1, 2][?1]", "optional.of(2) @2"},
                {"optional.of({'a': 1}).a", "optional.of(1) @3"},
                {"optional.of({'a': 1}).x", "optional.none() @2"},
                {"has(dyn(taint).?nope.x)", "false @2"},
                {"dyn([1])[?dyn('a')]", "error: unsupported index type 'string' in list @1"},
            }),
            "");
}

TEST(AccessTest, ErrorsInIndexesEndTheChain) {
  EXPECT_EQ(Differences({
                {"[1, 2][1 / 0]", "error: division by zero @3"},
                {"{'a': 1}[string(1 / 0)]", "error: division by zero @4"},
                {"[1, 2][?1 / 0]", "error: division by zero @2"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
