#include "match/toleration.h"

#include <gtest/gtest.h>

namespace plimsoll::match {
namespace {

struct ToleratesCase {
  std::string name;
  api::Toleration toleration;
  api::Taint taint;
  bool want;
};

class ToleratesTest : public testing::TestWithParam<ToleratesCase> {};

TEST_P(ToleratesTest, Answers) {
  const ToleratesCase& test = GetParam();
  EXPECT_EQ(Tolerates(test.toleration, test.taint, Rules{}), test.want);
}

INSTANTIATE_TEST_SUITE_P(
    All, ToleratesTest,
    testing::ValuesIn<ToleratesCase>({
        {"EqualValues", {"k", "Equal", "v", ""}, {"k", "v", "NoSchedule"}, true},
        {"EmptyOperatorIsEqual", {"k", "", "v", ""}, {"k", "w", "NoSchedule"}, false},
        {"ExistsIgnoresTheValue", {"k", "Exists", "x", ""}, {"k", "v", "NoSchedule"}, true},
        {"EmptyKeyIsEveryKey", {"", "Exists", "", ""}, {"k", "v", "NoSchedule"}, true},
        {"EmptyTolerationTakesEmptyValues", {}, {"k", "", "NoSchedule"}, true},
        {"OtherEffect", {"k", "Exists", "", "NoExecute"}, {"k", "v", "NoSchedule"}, false},
        {"OtherKey", {"l", "Exists", "", ""}, {"k", "v", "NoSchedule"}, false},
        {"OperatorsAreCaseSensitive", {"k", "exists", "", ""}, {"k", "v", "NoSchedule"}, false},
        {"GtAbove", {"k", "Gt", "5", ""}, {"k", "6", "NoSchedule"}, true},
        {"GtIsStrict", {"k", "Gt", "5", ""}, {"k", "5", "NoSchedule"}, false},
        {"LtBelow", {"k", "Lt", "5", ""}, {"k", "4", "NoSchedule"}, true},
        {"LtIsStrict", {"k", "Lt", "5", ""}, {"k", "5", "NoSchedule"}, false},
        {"NumbersAreCanonical", {"k", "Gt", "5", ""}, {"k", "06", "NoSchedule"}, false},
        {"SemverGt", {"k", "SemverGt", "1.2", ""}, {"k", "v1.10.0", "NoSchedule"}, true},
        {"SemverLtOfAPrerelease", {"k", "SemverLt", "1.2.0", ""}, {"k", "1.2.0-rc.1", ""}, true},
        {"SemverEqIgnoresBuild", {"k", "SemverEq", "1.2.0+a", ""}, {"k", "1.2", ""}, true},
        {"NotAVersion", {"k", "SemverGt", "1.2.0", ""}, {"k", "new", "NoSchedule"}, false},
    }),
    [](const auto& test) { return test.param.name; });

class HasValue final : public ExpressionEvaluator {
 public:
  Result<bool> Evaluate(std::string_view expression, const api::Taint& taint) const override {
    if (expression == "broken") return Fail(Reason::Invalid, "does not compile");
    return taint.value == expression;
  }
};

TEST(ToleratesTest, AnExpressionNeedsAnEvaluator) {
  const HasValue evaluator;
  const api::Toleration toleration{.expression = "v"};
  const api::Taint taint{"k", "v", "NoSchedule", ""};
  EXPECT_TRUE(Tolerates(toleration, taint, Rules{.evaluator = &evaluator}));
  EXPECT_FALSE(Tolerates(toleration, taint, Rules{}));
  EXPECT_FALSE(Tolerates({.expression = "broken"}, taint, Rules{.evaluator = &evaluator}));
  // Not even if the rest, an empty toleration, would match.
  EXPECT_FALSE(Tolerates({.expression = "x"}, {"k", "", "NoSchedule", ""}, Rules{}));
}

TEST(ToleratesTest, AnOperatorWhoseGateIsOffNeverMatches) {
  EXPECT_FALSE(Tolerates({"k", "Gt", "5"}, {"k", "6", ""}, Rules{.comparison = false}));
  EXPECT_FALSE(Tolerates({"k", "SemverEq", "5"}, {"k", "5", ""}, Rules{.semver = false}));
}

TEST(FindUntoleratedTest, SkipsEffectsThatDoNotCount) {
  const std::vector<api::Taint> taints{
      {"a", "", "PreferNoSchedule"}, {"b", "", "NoSchedule"}, {"c", "", "NoExecute"}};
  const std::vector<api::Toleration> tolerations{{.key = "b", .op = "Exists"}};
  EXPECT_EQ(FindUntolerated(taints, tolerations, Rules{}), &taints[2]);
  EXPECT_EQ(FindUntolerated(taints, {}, Rules{}), &taints[1]);
  EXPECT_EQ(FindUntolerated(taints, {}, Rules{}, Evicts), &taints[2]);
  EXPECT_EQ(CountIntolerablePreferred(taints, tolerations, Rules{}), 1u);
}

}  // namespace
}  // namespace plimsoll::match
