#include "api/validation/tolerations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/validation/object_for_test.h"
#include "api/validation/pod.h"
#include "api/validation/pod_options.h"
#include "api/validation/pod_update.h"

namespace plimsoll::api {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr Feature kComparison = Feature::TaintTolerationComparisonOperators;
constexpr Feature kSemver = Feature::TaintTolerationNodeAffinitySemverComparisonOperators;
constexpr Feature kCel = Feature::TaintTolerationCEL;

std::vector<std::string> Check(const Toleration& toleration,
                               const ValidationContext& context = {}) {
  static constexpr FieldPath kSpec("spec");
  FieldErrors errors;
  ValidateTolerations(std::span(&toleration, 1), kSpec / "tolerations",
                      PodValidationOptions::For(context, nullptr), errors);
  return Texts(errors);
}

TEST(TolerationsTest, VersionsAreParsedTolerantly) {
  EXPECT_THAT(Check({.key = "k", .op = "SemverGt", .value = "v1.2"}), IsEmpty());
  EXPECT_THAT(Check({.key = "k", .op = "SemverEq", .value = "1.2.3+build"}), IsEmpty());
  EXPECT_THAT(Check({.key = "k", .op = "SemverLt", .value = "containerd://2.1.4"}),
              ElementsAre("spec.tolerations[0].value: Invalid value: \"containerd://2.1.4\": "
                          "Invalid character(s) found in major number \"0containerd://2\""));
}

TEST(TolerationsTest, AnOperatorWhoseGateIsOffIsNotSupported) {
  const ValidationContext off = ContextWithout({kSemver, kComparison});
  EXPECT_THAT(Check({.key = "k", .op = "SemverGt", .value = "1"}, off),
              ElementsAre("spec.tolerations[0].operator: Unsupported value: \"SemverGt\": "
                          "supported values: \"Equal\", \"Exists\""));
  EXPECT_THAT(Check({.key = "k", .op = "Gt", .value = "1"}, off),
              ElementsAre("spec.tolerations[0].operator: Unsupported value: \"Gt\": "
                          "supported values: \"Equal\", \"Exists\", \"Lt\", \"Gt\""));
}

class Refuser : public ExpressionChecker {
 public:
  explicit Refuser(ExpressionFault fault) : fault_(std::move(fault)) {}
  std::optional<ExpressionFault> Check(std::string_view /*expression*/) const override {
    return fault_;
  }

 private:
  ExpressionFault fault_;
};

TEST(TolerationsTest, AnExpressionStandsAlone) {
  EXPECT_THAT(Check({.expression = "taint.key == 'a'", .toleration_seconds = 5}), IsEmpty());
  EXPECT_THAT(Check({.effect = "NoExecute", .expression = "true"}),
              ElementsAre("spec.tolerations[0].expression: Invalid value: \"true\": expression "
                          "cannot be used with key, value, operator, or effect fields"));
  EXPECT_THAT(Check({.expression = "true"}, ContextWithout({kCel})),
              ElementsAre("spec.tolerations[0].expression: Forbidden: may not be set when the "
                          "feature gate TaintTolerationCEL is off"));
}

TEST(TolerationsTest, TheLengthOfAnExpressionIsLimited) {
  EXPECT_THAT(Check({.expression = std::string(kExpressionBytesMax, ' ')}), IsEmpty());
  EXPECT_THAT(Check({.expression = std::string(kExpressionBytesMax + 1, ' ')}),
              ElementsAre("spec.tolerations[0].expression: Too long: may not be more than 10240 "
                          "bytes"));
}

TEST(TolerationsTest, TheCompilerHasTheLastWordOnExpressions) {
  using Kind = ExpressionFault::Kind;
  const Refuser broken({Kind::Invalid, "compilation failed: ERROR: <input>:1:1"});
  const Refuser costly({Kind::TooCostly, ""});
  ValidationContext context;
  context.expressions = &broken;
  EXPECT_THAT(Check({.expression = "x"}, context),
              ElementsAre("spec.tolerations[0].expression: Invalid value: \"x\": compilation "
                          "failed: ERROR: <input>:1:1"));
  context.expressions = &costly;
  EXPECT_THAT(Check({.expression = "x"}, context),
              ElementsAre("spec.tolerations[0].expression: Forbidden: too complex, exceeds cost "
                          "limit"));
}

/// Checker for which the text of an expression is its cost.
class Priced : public ExpressionChecker {
 public:
  std::optional<ExpressionFault> Check(std::string_view /*expression*/) const override {
    return std::nullopt;
  }
  std::uint64_t CostMax(std::string_view expression) const override {
    return std::stoull(std::string(expression));
  }
};

TEST(TolerationsTest, TheCostOfAllExpressionsOfAPodIsLimited) {
  const Priced priced;
  ValidationContext context;
  context.expressions = &priced;
  static constexpr FieldPath kSpec("spec");
  const auto check = [&](const std::vector<Toleration>& tolerations) {
    FieldErrors errors;
    ValidateTolerations(tolerations, kSpec / "tolerations",
                        PodValidationOptions::For(context, nullptr), errors);
    return Texts(errors);
  };
  const Toleration most{.expression = "1000000"};
  EXPECT_THAT(check({most, most, most, most}), IsEmpty());
  EXPECT_THAT(check({most, most, most, most, {.expression = "1"}}),
              ElementsAre("spec.tolerations: Forbidden: estimated cost of all expressions exceeds "
                          "the limit by factor of 1.1x"));
  EXPECT_THAT(check(std::vector<Toleration>(10, most)),
              ElementsAre("spec.tolerations: Forbidden: estimated cost of all expressions exceeds "
                          "the limit by factor of 2.5x"));
  // A stored pod that exceeds the limit can still be updated.
  PodSpec before;
  before.tolerations.assign(5, most);
  FieldErrors errors;
  ValidateTolerations(before.tolerations, kSpec / "tolerations",
                      PodValidationOptions::For(context, &before), errors);
  EXPECT_TRUE(errors.empty());
}

struct RatchetCase {
  std::string name;
  Feature gate;
  std::string used;   // spec of the stored pod
  std::string added;  // an update that keeps it and adds more of the same feature
};

class RatchetTest : public testing::TestWithParam<RatchetCase> {};

TEST_P(RatchetTest, WhatAnObjectUsesItMayKeepAndAddTo) {
  const RatchetCase& test = GetParam();
  const auto before = PodWith(test.used);
  const auto now = PodWith(test.added);
  const ValidationContext off = ContextWithout({test.gate});
  EXPECT_THAT(Texts(ValidatePodUpdate(*now->As<Pod>(), *before->As<Pod>(), off)), IsEmpty());
  EXPECT_FALSE(ValidatePodCreate(*before->As<Pod>(), off).empty());
  const auto plain = PodWith(R"("tolerations":[])");
  EXPECT_FALSE(ValidatePodUpdate(*now->As<Pod>(), *plain->As<Pod>(), off).empty());
}

INSTANTIATE_TEST_SUITE_P(
    All, RatchetTest,
    testing::ValuesIn<RatchetCase>({
        {"Comparison", kComparison, R"("tolerations":[{"key":"a","operator":"Gt","value":"1"}])",
         R"("tolerations":[{"key":"a","operator":"Gt","value":"1"},)"
         R"({"key":"b","operator":"Lt","value":"2"}])"},
        {"Semver", kSemver, R"("tolerations":[{"key":"a","operator":"SemverGt","value":"1"}])",
         R"("tolerations":[{"key":"a","operator":"SemverGt","value":"1"},)"
         R"({"key":"b","operator":"SemverEq","value":"2"}])"},
        {"Expression", kCel, R"("tolerations":[{"expression":"true"}])",
         R"("tolerations":[{"expression":"true"},{"expression":"false"}])"},
    }),
    [](const auto& one) { return one.param.name; });

TEST(TolerationsTest, TheExpressionIsPartOfATolerationsIdentity) {
  const auto before = PodWith(R"("tolerations":[{"expression":"true"}])");
  const auto now = PodWith(R"("tolerations":[{"expression":"false"}])");
  EXPECT_THAT(Texts(ValidatePodUpdate(*now->As<Pod>(), *before->As<Pod>(), {})),
              ElementsAre("spec.tolerations: Forbidden: existing toleration can not be modified "
                          "except its tolerationSeconds"));
}

}  // namespace
}  // namespace plimsoll::api
