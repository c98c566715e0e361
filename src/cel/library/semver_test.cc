#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"

namespace plimsoll::cel {
namespace {

TEST(SemverTest, VersionsAreReadStrictlyOrNormalised) {
  EXPECT_EQ(Differences({
                {"semver('1.2.3')", R"(semver("1.2.3") @1)"},
                {"semver('v1.2', true)", R"(semver("1.2.0") @1)"},
                {"semver('01.02.3', true)", R"(semver("1.2.3") @1)"},
                {"isSemver('v1.0.0')", "false @1"},
                {"isSemver('v1.0.0', true)", "true @1"},
                {"semver('1.2')", "error: No Major.Minor.Patch elements found @1"},
                {"[semver('1.2.3').major(), semver('1.2.3').minor(), semver('1.2.3').patch()]",
                 "[1, 2, 3] @16"},
            }),
            "");
}

TEST(SemverTest, OrderIgnoresTheBuild) {
  EXPECT_EQ(Differences({
                {"semver('1.0.0-rc.1').isLessThan(semver('1.0.0'))", "true @3"},
                {"semver('1.0.0').isGreaterThan(semver('1.0.0-rc.1'))", "true @3"},
                {"semver('1.0.0+a') == semver('1.0.0+b')", "true @3"},
                {"semver('1.0.0').compareTo(semver('2.0.0'))", "-1 @3"},
                {"semver('1.0.0-9').compareTo(semver('1.0.0-10'))", "-1 @3"},
                {"dyn(semver('1.0.0')) == dyn('1.0.0')", "error: no such overload @3"},
            }),
            "");
}

}  // namespace
}  // namespace plimsoll::cel
