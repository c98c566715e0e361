#include "cli/preview/policy_forecast.h"

#include <gtest/gtest.h>

#include "controller/objects_for_test.h"

namespace plimsoll::cli {
namespace {

using namespace std::chrono_literals;
using controller::Decode;

const Instant kNoon = ParseTime("2026-03-01T12:00:00Z").value();

std::vector<Departure> Departures(int count) {
  std::vector<Departure> departures;
  for (int i = 0; i < count; ++i) {
    departures.push_back({Decode("{apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: p" +
                                 std::to_string(i) + "}, spec: {nodeName: n1}}"),
                          kNoon, ""});
  }
  return departures;
}

struct ForecastCase {
  std::string name;
  std::string spec;
  int pods = 5;
  Duration end{};         // after noon
  std::string held;       // limit
  std::size_t count = 0;  // pods that it holds
  bool is_used = true;
};

class ForecastPoliciesTest : public testing::TestWithParam<ForecastCase> {};

TEST_P(ForecastPoliciesTest, AppliesTheLimits) {
  const ForecastCase& test = GetParam();
  const std::vector<ObjectPtr> policies = {
      Decode("{apiVersion: plimsoll.io/v1alpha1, kind: EvictionPolicy, metadata: {name: spot}, "
             "spec: {" +
             test.spec + "}}")};
  std::vector<Departure> departures = Departures(test.pods);
  std::vector<ObjectPtr> objects = {
      Decode("{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {tier: prod}}}"),
      Decode("{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {pool: spot}}}")};
  for (const Departure& one : departures) objects.push_back(one.pod);
  const PolicyForecast forecast =
      ForecastPolicies(departures, {policies, objects, {"spot.example.com/risk"}, kNoon});
  EXPECT_EQ(forecast.policies.size(), test.is_used ? 1u : 0u);
  if (test.count < static_cast<std::size_t>(test.pods)) {
    ASSERT_TRUE(forecast.end);
    EXPECT_EQ(*forecast.end - kNoon, test.end);
  } else {
    EXPECT_FALSE(forecast.end);
  }
  EXPECT_EQ(forecast.held.empty(), test.count == 0);
  if (test.count == 0) return;
  ASSERT_TRUE(forecast.held.contains(test.held));
  EXPECT_EQ(forecast.held.at(test.held), test.count);
}

INSTANTIATE_TEST_SUITE_P(
    All, ForecastPoliciesTest,
    testing::ValuesIn<ForecastCase>({
        {"NoLimit", "", 5, 0s, "", 0},
        {"OtherKey", "selector: {taintKeys: [other]}, paused: true", 5, 0s, "", 0, false},
        {"KeyPrefix", "selector: {taintKeys: [\"spot.example.com/*\"]}, settle: 30s", 5, 30s, "",
         0},
        {"Namespace", "selector: {namespaces: {matchLabels: {tier: test}}}, paused: true", 5, 0s,
         "", 0, false},
        {"Node", "selector: {nodes: {matchLabels: {pool: spot}}}, paused: true", 5, 0s, "Paused",
         5},
        {"Rate", "rate: {perSecond: \"1\", burst: 2}", 5, 3s, "", 0},
        {"SlowRate", "rate: {perSecond: 100m, burst: 1}", 3, 20s, "", 0},
        {"SettleAndRate", "settle: 10s, rate: {perSecond: \"1\", burst: 1}", 3, 12s, "", 0},
        {"Deadline", "rate: {perSecond: \"1\", burst: 1}, deadline: 2s", 9, 2s, "", 0},
        {"PausedUntilDeadline", "paused: true, deadline: 2m", 5, 120s, "", 0},
        {"Breaker", "breaker: {window: 5m, maxPods: 3}", 5, 0s, "Breaker", 2},
        {"BreakerByPercent", "breaker: {window: 5m, maxPercent: 40}", 5, 0s, "Breaker", 3},
    }),
    [](const auto& test) { return test.param.name; });

TEST(PoliciesRespectingBudgetsTest, NamesThem) {
  const std::vector<ObjectPtr> policies = {
      Decode("{apiVersion: plimsoll.io/v1alpha1, kind: EvictionPolicy, metadata: {name: a}, spec: "
             "{disruptionBudgets: {mode: Respect}}}"),
      Decode("{apiVersion: plimsoll.io/v1alpha1, kind: EvictionPolicy, metadata: {name: b}, spec: "
             "{}}")};
  EXPECT_EQ(PoliciesRespectingBudgets({policies, {}, {"k"}, kNoon}), std::vector<std::string>{"a"});
}

}  // namespace
}  // namespace plimsoll::cli
