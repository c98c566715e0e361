#include "match/rules.h"

#include "gtest/gtest.h"

namespace plimsoll::match {
namespace {

using api::Feature;

struct Never final : ExpressionEvaluator {
  Result<bool> Evaluate(std::string_view /*expression*/,
                        const api::Taint& /*taint*/) const override {
    return false;
  }
};

TEST(RulesTest, EachGateRulesItsOwnOperators) {
  const Never evaluator;
  const auto without = [&](Feature feature) {
    api::FeatureGates gates;
    gates.Set(feature, false);
    return Rules::From(gates, &evaluator);
  };
  const Rules all = Rules::From({}, &evaluator);
  EXPECT_TRUE(all.comparison && all.semver);
  EXPECT_EQ(all.evaluator, &evaluator);

  const Rules no_numbers = without(Feature::TaintTolerationComparisonOperators);
  EXPECT_TRUE(!no_numbers.comparison && no_numbers.semver);
  const Rules no_versions = without(Feature::TaintTolerationNodeAffinitySemverComparisonOperators);
  EXPECT_TRUE(no_versions.comparison && !no_versions.semver);
  const Rules no_expressions = without(Feature::TaintTolerationCEL);
  EXPECT_TRUE(no_expressions.comparison && no_expressions.semver);
  EXPECT_EQ(no_expressions.evaluator, nullptr);
}

}  // namespace
}  // namespace plimsoll::match
