#include "controller/eviction_policy/policy_terms.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "controller/objects_for_test.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;

PolicyTerms Terms(const std::string& spec) {
  const ObjectPtr policy = Decode(
      "apiVersion: plimsoll.io/v1alpha1\nkind: EvictionPolicy\nmetadata: {name: p}\nspec: {" +
      spec + "}\n");
  return ReadTerms(policy->As<api::EvictionPolicy>()->spec);
}

TEST(PolicyTermsTest, ReadsAllLimits) {
  const PolicyTerms terms = Terms(
      "settle: 30s, deadline: 2m, maxUnavailable: 5%, via: Eviction, "
      "rate: {perSecond: 100m, burst: 3}, disruptionBudgets: {mode: Respect, atMost: 10m}, "
      "breaker: {window: 5m, maxPods: 250, maxPercent: 10, per: Zone}, "
      "resumedAt: '1970-01-01T00:00:09Z'");
  EXPECT_EQ(terms.fault, "");
  EXPECT_EQ(terms.settle, 30s);
  EXPECT_EQ(terms.deadline, Duration(2min));
  EXPECT_TRUE(terms.max_unavailable->is_percent);
  EXPECT_EQ(terms.via, EvictionVia::Eviction);
  EXPECT_EQ(terms.rate->interval, 10s);
  EXPECT_EQ(terms.rate->burst, 3);
  EXPECT_EQ(terms.budgets, Duration(10min));
  EXPECT_EQ(terms.breaker->per, BreakerScope::Zone);
  EXPECT_EQ(terms.resumed_at, Instant(9s));
  EXPECT_FALSE(terms.is_paused);
  EXPECT_TRUE(terms.needs_ledger());
  EXPECT_FALSE(Terms("settle: 5s, deadline: 1m, paused: true").needs_ledger());
}

TEST(PolicyTermsTest, AFaultPauses) {
  for (const char* const spec :
       {"settle: x", "deadline: -5s", "maxUnavailable: half", "maxUnavailable: 101%",
        "rate: {perSecond: 0}", "rate: {perSecond: -1}", "breaker: {window: 100h}",
        "breaker: {window: 1ms}", "breaker: {window: 1m, per: Rack}", "via: Force",
        "disruptionBudgets: {mode: Respect, atMost: soon}",
        "selector: {pods: {matchExpressions: [{key: a, operator: Near}]}}"}) {
    const PolicyTerms terms = Terms(spec);
    EXPECT_TRUE(terms.is_paused) << spec;
    EXPECT_TRUE(terms.fault.starts_with("spec.")) << spec;
  }
}

TEST(PolicyTermsTest, MatchesKeysBySuffix) {
  EXPECT_TRUE(Terms("").MatchesTaint("any"));
  const PolicyTerms terms = Terms("selector: {taintKeys: [a, 'spot.example.com/*']}");
  EXPECT_TRUE(terms.MatchesTaint("a"));
  EXPECT_TRUE(terms.MatchesTaint("spot.example.com/reclaim"));
  EXPECT_FALSE(terms.MatchesTaint("ab"));
  EXPECT_FALSE(terms.MatchesTaint("spot.example.org/reclaim"));
}

TEST(PolicyTermsTest, PercentagesAreRoundedUp) {
  EXPECT_EQ((Amount{5, true}.Of(3)), 1);
  EXPECT_EQ((Amount{5, true}.Of(20)), 1);
  EXPECT_EQ((Amount{5, true}.Of(21)), 2);
  EXPECT_EQ((Amount{0, true}.Of(100)), 0);
  EXPECT_EQ((Amount{7, false}.Of(3)), 7);
}

}  // namespace
}  // namespace plimsoll::controller
