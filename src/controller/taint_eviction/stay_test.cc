#include "controller/taint_eviction/stay.h"

#include <gtest/gtest.h>

#include <chrono>
#include <limits>

#include "api/expression/toleration_expression.h"
#include "match/cel_evaluator.h"

namespace plimsoll::controller {
namespace {

using api::Taint;
using api::Toleration;
using namespace std::chrono_literals;

constexpr std::string_view kNoExecute = "NoExecute";

Toleration Tolerates(std::string_view key, std::string_view op, std::string_view value,
                     std::optional<std::int64_t> seconds = {}) {
  return {.key = key,
          .op = op,
          .value = value,
          .effect = kNoExecute,
          .expression = {},
          .toleration_seconds = seconds};
}
Toleration Expression(std::string_view expression, std::optional<std::int64_t> seconds = {}) {
  Toleration toleration;
  toleration.expression = expression;
  toleration.toleration_seconds = seconds;
  return toleration;
}
Taint TaintOf(std::string_view key, std::string_view value = {}) {
  return {.key = key, .value = value, .effect = kNoExecute, .time_added = {}};
}

constexpr Duration kForEver = Duration::max();
constexpr Duration kRefused = Duration(-1);

/// Returns the shortest limit, or one of the two constants above.
Duration Shortest(const Stay& stay) {
  if (stay.is_refused()) return kRefused;
  Duration least = kForEver;
  for (const Stay::Limit& limit : stay.limits) least = std::min(least, limit.time);
  return least;
}

struct StayCase {
  std::string name;
  std::vector<Taint> taints;
  std::vector<Toleration> tolerations;
  Duration want;          // with grace after crossing a threshold
  Duration want_classic;  // without grace
};

class DecideStayTest : public testing::TestWithParam<StayCase> {
 protected:
  api::TolerationExpressions expressions_;
  match::CelEvaluator evaluator_{expressions_};
};

TEST_P(DecideStayTest, SaysHowLong) {
  const StayCase& test = GetParam();
  match::TolerationTimeRules rules{
      .match = {.comparison = true, .semver = true, .evaluator = &evaluator_}};
  EXPECT_EQ(Shortest(DecideStay(test.taints, test.tolerations, rules)), test.want);
  rules.threshold_grace = false;
  EXPECT_EQ(Shortest(DecideStay(test.taints, test.tolerations, rules)), test.want_classic);
}

constexpr std::int64_t kOverflow = 9'223'372'037;

INSTANTIATE_TEST_SUITE_P(
    All, DecideStayTest,
    testing::ValuesIn<StayCase>({
        {"NoTolerations", {TaintOf("k")}, {}, kRefused, kRefused},
        {"Tolerated", {TaintOf("k")}, {Tolerates("k", "Exists", "")}, kForEver, kForEver},
        {"ForAWhile", {TaintOf("k")}, {Tolerates("k", "Exists", "", 300)}, 300s, 300s},
        {"ForNoTime", {TaintOf("k")}, {Tolerates("k", "Exists", "", 0)}, 0s, 0s},
        {"ForLessThanNoTime", {TaintOf("k")}, {Tolerates("k", "Exists", "", -5)}, 0s, 0s},
        {"ForTheLongestTime",
         {TaintOf("k")},
         {Tolerates("k", "Exists", "", kOverflow - 1)},
         std::chrono::seconds(kOverflow - 1),
         std::chrono::seconds(kOverflow - 1)},
        {"LongerIsForEver",
         {TaintOf("k")},
         {Tolerates("k", "Exists", "", kOverflow)},
         kForEver,
         kForEver},
        {"LongestIsForEver",
         {TaintOf("k")},
         {Tolerates("k", "Exists", "", std::numeric_limits<std::int64_t>::max())},
         kForEver,
         kForEver},
        {"TheFirstCounts",
         {TaintOf("k")},
         {Tolerates("k", "Exists", "", 60), Tolerates("k", "Exists", "")},
         60s,
         60s},
        {"ATaintThatIsLimitedAndOneThatIsNot",
         {TaintOf("a"), TaintOf("b")},
         {Tolerates("a", "Exists", "", 300), Tolerates("b", "Exists", "")},
         300s,
         300s},
        {"TheLeastOfTwo",
         {TaintOf("a"), TaintOf("b")},
         {Tolerates("a", "Exists", "", 3600), Tolerates("b", "Exists", "", 60)},
         60s,
         60s},
        {"OneOfTwoIsRefused",
         {TaintOf("a"), TaintOf("b")},
         {Tolerates("a", "Exists", "", 3600)},
         kRefused,
         kRefused},
        {"WithinTheThreshold", {TaintOf("p", "2")}, {Tolerates("p", "Lt", "5", 30)}, kForEver, 30s},
        {"PastTheThreshold", {TaintOf("p", "15")}, {Tolerates("p", "Lt", "5", 30)}, 30s, kRefused},
        {"OnTheThreshold", {TaintOf("p", "5")}, {Tolerates("p", "Lt", "5", 30)}, 30s, kRefused},
        {"PastTheThresholdWithoutGrace",
         {TaintOf("p", "15")},
         {Tolerates("p", "Lt", "5")},
         kRefused,
         kRefused},
        {"PastTheThresholdWithNoGrace",
         {TaintOf("p", "15")},
         {Tolerates("p", "Lt", "5", 0)},
         0s,
         kRefused},
        {"TheThresholdOfAnotherKey",
         {TaintOf("q", "15")},
         {Tolerates("p", "Lt", "5", 30)},
         kRefused,
         kRefused},
        {"AValueThatIsNoNumberIsPastIt",
         {TaintOf("p", "high")},
         {Tolerates("p", "Lt", "5", 30)},
         30s,
         kRefused},
        {"AnotherTolerationCoversIt",
         {TaintOf("p", "15")},
         {Tolerates("p", "Lt", "5", 30), Tolerates("p", "Exists", "", 300)},
         300s,
         300s},
        {"TheFirstThresholdWithGrace",
         {TaintOf("p", "15")},
         {Tolerates("p", "Lt", "3"), Tolerates("p", "Lt", "5", 30), Tolerates("p", "Gt", "20", 9)},
         30s,
         kRefused},
        {"VersionsHaveGraceToo",
         {TaintOf("kernel", "5.4.0")},
         {Tolerates("kernel", "SemverGt", "5.10.0", 30)},
         30s,
         kRefused},
        {"EqualHasNone",
         {TaintOf("k", "w")},
         {Tolerates("k", "Equal", "v", 30)},
         kRefused,
         kRefused},
        {"AnExpressionIsClassic",
         {TaintOf("k", "15")},
         {Expression("taint.key == 'k'", 30)},
         30s,
         30s},
        {"AnExpressionHasNoGrace",
         {TaintOf("k", "15")},
         {Expression("taint.key == 'l'", 30)},
         kRefused,
         kRefused},
    }),
    [](const auto& test) { return test.param.name; });

TEST(DecideStayTest, AnOperatorWhoseGateIsOffNeitherCoversNorGivesGrace) {
  const std::vector<Taint> low = {TaintOf("p", "2")};
  const std::vector<Taint> high = {TaintOf("p", "15")};
  const std::vector<Toleration> number = {Tolerates("p", "Lt", "5", 30)};
  const std::vector<Toleration> version = {Tolerates("p", "SemverLt", "5.0.0", 30)};
  const std::vector<Toleration> expression = {Expression("true", 30)};
  const match::TolerationTimeRules off{
      .match = {.comparison = false, .semver = false, .evaluator = nullptr}};
  for (const auto& tolerations : {number, version, expression}) {
    EXPECT_EQ(Shortest(DecideStay(low, tolerations, off)), kRefused);
    EXPECT_EQ(Shortest(DecideStay(high, tolerations, off)), kRefused);
  }
}

TEST(DecideStayTest, SaysWhy) {
  const std::vector<Taint> taints = {TaintOf("p", "15")};
  EXPECT_EQ(DecideStay(taints, std::vector{Tolerates("p", "Lt", "5", 30)}, {}).limits.at(0).why,
            "taint p=15:NoExecute: toleration 0 (Lt 5): taint 15 is not less than 5");
  EXPECT_EQ(DecideStay(taints, std::vector{Tolerates("p", "Exists", "", 30)}, {}).limits.at(0).why,
            "taint p=15:NoExecute: tolerated by toleration 0 (Exists)");
  EXPECT_EQ(DecideStay(taints, {}, {}).refusal, "taint p=15:NoExecute: the pod has no tolerations");
}

}  // namespace
}  // namespace plimsoll::controller
