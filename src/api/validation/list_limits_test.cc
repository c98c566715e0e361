#include "api/validation/list_limits.h"

#include <gtest/gtest.h>

namespace plimsoll::api {
namespace {

TEST(ListLimitsTest, TheFactorIsRoundedUp) {
  EXPECT_EQ(TooCostlyText(kExpressionsCostMax + 1),
            "estimated cost of all expressions exceeds the limit by factor of 1.1x");
  EXPECT_EQ(TooCostlyText(10'000'000),
            "estimated cost of all expressions exceeds the limit by factor of 2.5x");
  EXPECT_EQ(TooCostlyText(1'000'000'001),
            "estimated cost of all expressions exceeds the limit by factor of 250.1x");
}

TEST(ListLimitsTest, EveryListOfAPodIsLookedAt) {
  PodSpec spec;
  EXPECT_FALSE(ExceedsListLimits(spec));
  spec.topology_spread_constraints.resize(kSpreadConstraintsMax);
  EXPECT_FALSE(ExceedsListLimits(spec));
  spec.topology_spread_constraints.emplace_back();
  EXPECT_TRUE(ExceedsListLimits(spec));
  for (const bool is_anti : {false, true}) {
    for (const bool is_required : {false, true}) {
      PodSpec one;
      PodAffinity terms;
      if (is_required) {
        terms.required.resize(kPodAffinityTermsMax + 1);
      } else {
        terms.preferred.resize(kPodAffinityTermsMax + 1);
      }
      one.affinity.emplace();
      (is_anti ? one.affinity->pod_anti_affinity : one.affinity->pod_affinity) = terms;
      EXPECT_TRUE(ExceedsListLimits(one));
    }
  }
}

}  // namespace
}  // namespace plimsoll::api
