#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(CelSemverTest, Reads) {
  EXPECT_EQ(
      Differences({
          {"semver('1.2.3-rc.1+b')", "semver(\"1.2.3-rc.1+b\") @2"},
          {"semver('v1.2.3')", "error: Invalid character(s) found in major number \"v1\" @1"},
          {"semver('v01.2', true)", "semver(\"1.2.0\") @1"},
          {"semver('1.0.-1', true)", "semver(\"1.0.0-1\") @1"},
          {"semver('1.2-rc', true)",
           "error: short version cannot contain PreRelease/Build meta data @1"},
          {"semver('', true)", "error: strconv.ParseUint: parsing \"\": invalid syntax @0"},
          {"semver('V1', true)", "error: Invalid character(s) found in major number \"0V1\" @1"},
          {"semver('1.2.3', false)", "semver(\"1.2.3\") @1"},
          {"isSemver('1.2')", "false @1"},
          {"isSemver('1.2', true)", "true @1"},
          {"semver(taint.value, true)", "semver(\"42.0.0\") @3"},
          {"isSemver(taint.key, true)", "false @3"},
      }),
      "");
}

TEST(CelSemverTest, Asks) {
  EXPECT_EQ(Differences({
                {"semver('1.2.3').major()", "1 @2"},
                {"semver('1.2.3').minor()", "2 @2"},
                {"semver('1.2.3').patch()", "3 @2"},
                {"semver('9223372036854775808.0.0').major()", "-9223372036854775808 @4"},
                {"semver('1.0.0-alpha').compareTo(semver('1.0.0'))", "-1 @4"},
                {"semver('1.0.0').isGreaterThan(semver('1.0.0-rc.1'))", "true @3"},
                {"semver('1.0.0').isLessThan(semver('1.0.0'))", "false @3"},
                {"semver('1.0.0+a') == semver('1.0.0+b')", "true @3"},
                {"dyn(semver('1.0.0')) == dyn('1.0.0')", "error: no such overload @3"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
