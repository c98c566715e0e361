#include "controller/eviction_policy/policy_ledger.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>

#include "controller/objects_for_test.h"

namespace plimsoll::controller {
namespace {

using namespace std::chrono_literals;

const Instant kNoon = ParseTime("2026-03-01T12:00:00Z").value();

TEST(BreakerWindowTest, CountsForAtLeastTheWindowInAtMost32Intervals) {
  for (const Duration length : {Duration(1s), Duration(7s), Duration(5min), Duration(24h)}) {
    const Duration width = BreakerWindow::WidthOf(length);
    BreakerWindow window;
    std::size_t most = 0;
    for (Instant now = kNoon; now < kNoon + 3 * length; now += width / 2) {
      window.Expire(now, length);
      window.Add(now, length);
      most = std::max(most, window.buckets().size());
    }
    EXPECT_LE(most, 32u) << FormatDuration(length);
    BreakerWindow one;
    one.Add(kNoon + 1ms, length);
    one.Expire(kNoon + length, length);
    EXPECT_EQ(one.total(), 1);
    one.Expire(kNoon + length + width, length);
    EXPECT_EQ(one.total(), 0);
  }
}

TEST(BreakerWindowTest, ALongerWindowKeepsAllCounts) {
  BreakerWindow window;
  for (int i = 0; i < 30; ++i) window.Add(kNoon + i * 10s, 5min);
  for (int i = 1; i < 20; ++i) window.Add(kNoon + i * 1h, 24h);
  EXPECT_EQ(window.total(), 49);
  EXPECT_LE(window.buckets().size(), 32u);
}

TEST(BreakerWindowTest, RefundsWhatDidNotHappen) {
  BreakerWindow window;
  window.Add(kNoon, 1min, 3);
  window.Refund(kNoon, 1min);
  EXPECT_EQ(window.total(), 2);
  window.Refund(kNoon + 10min, 1min);
  EXPECT_EQ(window.total(), 2);
}

TEST(PolicyLedgerTest, TokensComeAtTheRate) {
  const PolicyTerms::Rate rate{100ms, 3};
  PolicyLedger ledger;
  for (int i = 0; i < 3; ++i) {
    EXPECT_LE(ledger.NextFree(rate), kNoon);
    ledger.TakeToken(rate, kNoon);
  }
  EXPECT_EQ(ledger.NextFree(rate), kNoon + 100ms);
  ledger.TakeToken(rate, kNoon + 100ms);
  EXPECT_EQ(ledger.NextFree(rate), kNoon + 200ms);
  for (int i = 0; i < 50; ++i) ledger.ChargeToken(rate, kNoon + 100ms);
  EXPECT_EQ(ledger.NextFree(rate), kNoon + 200ms) << "the burst is empty, not more than that";
  const PolicyTerms::Rate huge{Duration(1'000'000s), 2'000'000'000};
  PolicyLedger other;
  other.TakeToken(huge, kNoon);
  EXPECT_LT(other.NextFree(huge), kNoon) << "no overflow";
}

TEST(PolicyLedgerTest, AdoptsTheStricterState) {
  const ObjectPtr policy = Decode(
      "apiVersion: plimsoll.io/v1alpha1\nkind: EvictionPolicy\nmetadata: {name: p}\n"
      "spec: {breaker: {window: 5m, maxPods: 9}}\n"
      "status: {rateFullAt: '2026-03-01T12:00:05.000000Z', reserved: [u1, u2], "
      "breakers: [{scope: '', selected: 40, counts: [{start: '2026-03-01T12:00:00Z', pods: "
      "3}]}]}\n");
  const auto& view = *policy->As<api::EvictionPolicy>();
  const PolicyTerms terms = ReadTerms(view.spec);
  PolicyLedger ledger;
  ledger.FindScope("", *terms.breaker, kNoon)->window.Add(kNoon, 5min);
  ledger.Merge(view.status, terms, kNoon + 1s);
  EXPECT_EQ(ledger.rate_full_at(), kNoon + 5s);
  EXPECT_EQ(ledger.FindScope("", *terms.breaker, kNoon)->window.total(), 3);
  EXPECT_EQ(ledger.FindScope("", *terms.breaker, kNoon)->selected, 40);
  ASSERT_NE(ledger.Find("u2"), nullptr);
  EXPECT_GT(ledger.Find("u2")->counted_until, kNoon + 5min);
}

TEST(PolicyLedgerTest, ATrippedBreakerIsResumedByALaterTimeOnly) {
  PolicyTerms terms;
  terms.breaker = PolicyTerms::Breaker{.window = 5min, .max_pods = 1, .max_percent = {}};
  terms.resumed_at = kNoon + 500ms;
  PolicyLedger ledger;
  ledger.Trip(*ledger.FindScope("", *terms.breaker, kNoon), terms, kNoon + 600ms);
  ledger.Resume(terms);
  EXPECT_TRUE(ledger.IsTripped("")) << "it tripped after the time of the resumption";
  terms.resumed_at = kNoon + 2s;
  ledger.Resume(terms);
  EXPECT_FALSE(ledger.IsTripped(""));
}

TEST(PolicyLedgerTest, ScopesAreBounded) {
  PolicyTerms terms;
  terms.breaker = PolicyTerms::Breaker{.window = 5min, .max_pods = 1, .max_percent = {}};
  PolicyLedger ledger;
  for (std::size_t i = 0; i < PolicyLedger::kScopesMax; ++i) {
    ASSERT_NE(ledger.FindScope("ns" + std::to_string(i), *terms.breaker, kNoon), nullptr);
  }
  EXPECT_EQ(ledger.FindScope("more", *terms.breaker, kNoon), nullptr);
}

}  // namespace
}  // namespace plimsoll::controller
