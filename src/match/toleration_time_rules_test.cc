#include "match/toleration_time_rules.h"

#include <gtest/gtest.h>

namespace plimsoll::match {
namespace {

TEST(StayRulesTest, ThresholdsCompareValues) {
  for (const char* const op : {"Lt", "Gt", "SemverLt", "SemverGt", "SemverEq"}) {
    EXPECT_TRUE(IsThreshold({.op = op})) << op;
  }
  for (const char* const op : {"", "Equal", "Exists", "Near"}) {
    EXPECT_FALSE(IsThreshold({.op = op})) << op;
  }
  EXPECT_FALSE(IsThreshold({.op = "Lt", .expression = "true"}));
}

TEST(StayRulesTest, GraceIsOfAThresholdWithSecondsForThisTaint) {
  const api::Taint taint{.key = "p", .value = "15", .effect = "NoExecute", .time_added = {}};
  const api::Toleration lt{
      .key = "p", .op = "Lt", .value = "5", .effect = "NoExecute", .toleration_seconds = 30};
  const Rules rules;
  EXPECT_TRUE(GivesGrace(lt, taint, rules));
  EXPECT_FALSE(GivesGrace(lt, taint, {.comparison = false}));
  EXPECT_TRUE(GivesGrace(lt, taint, {.semver = false}));
  api::Toleration other = lt;
  other.toleration_seconds.reset();
  EXPECT_FALSE(GivesGrace(other, taint, rules)) << "promises no time";
  other = lt;
  other.key = "q";
  EXPECT_FALSE(GivesGrace(other, taint, rules));
  other = lt;
  other.effect = "NoSchedule";
  EXPECT_FALSE(GivesGrace(other, taint, rules));
  other = lt;
  other.op = "Exists";
  EXPECT_FALSE(GivesGrace(other, taint, rules));
}

}  // namespace
}  // namespace plimsoll::match
