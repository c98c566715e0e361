#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(StandardTextTest, SearchesCostWhatTheyRead) {
  EXPECT_EQ(Differences({
                {"taint.key.startsWith('g')", "true @3"},
                {"taint.key.endsWith('')", "true @2"},
                {"taint.key.endsWith('xgpu')", "false @3"},
                {"taint.key.contains('pu')", "true @3"},
                {"taint.effect.contains('ScheduleNever')", "false @4"},
                {"'κόσμε'.contains('σ')", "true @1"},
            }),
            "");
}

TEST(StandardTextTest, PatternsMatchAnywhere) {
  EXPECT_EQ(Differences({
                {"'zone-a12'.matches('a[0-9]+$')", "true @2"},
                {"matches(taint.key, '^G')", "false @3"},
                {"taint.key.matches('')", "true @2"},
                {"taint.key.matches(taint.effect + '(')",
                 "error: error parsing regexp: missing closing ): `NoSchedule(` @9"},
                {"taint.key.matches('a{1001}')", R"(ERROR: <input>:1:19: invalid matches argument
 | taint.key.matches('a{1001}')
 | ..................^)"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
