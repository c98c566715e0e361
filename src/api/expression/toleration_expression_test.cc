#include "api/expression/toleration_expression.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace plimsoll::api {
namespace {

using Kind = ExpressionFault::Kind;

struct CheckCase {
  std::string name;
  std::string expression;
  std::optional<Kind> kind;
  std::string message;  // prefix of the message
};

class CheckExpressionTest : public testing::TestWithParam<CheckCase> {};

TEST_P(CheckExpressionTest, Judges) {
  const TolerationExpressions expressions;
  const auto fault = expressions.Check(GetParam().expression);
  ASSERT_EQ(fault.has_value(), GetParam().kind.has_value());
  if (!fault) return;
  EXPECT_EQ(fault->kind, *GetParam().kind);
  EXPECT_THAT(fault->message, testing::StartsWith(GetParam().message));
}

INSTANTIATE_TEST_SUITE_P(
    All, CheckExpressionTest,
    testing::ValuesIn<CheckCase>({
        {"Bool", "taint.key.startsWith('env.example.com/')", std::nullopt, ""},
        {"Dyn", "dyn(true)", std::nullopt, ""},
        {"DoesNotParse", "taint.key ==", Kind::Invalid,
         "compilation failed: ERROR: <input>:1:13: "},
        {"DoesNotCheck", "taint.nope == 'x'", Kind::Invalid,
         "compilation failed: ERROR: <input>:1:6: undefined field 'nope'"},
        {"NoBool", "size(taint.key)", Kind::Invalid,
         "must evaluate to bool or the unknown type, not int"},
        {"CanOnlyFail", "int('x') == 1", Kind::Internal, "program instantiation failed: "},
        {"TooCostly",
         "lists.range(100).all(a, lists.range(100).all(b, lists.range(1000).all(c, c > a + b)))",
         Kind::TooCostly, ""},
    }),
    [](const auto& test) { return test.param.name; });

struct EvaluateCase {
  std::string name;
  std::string expression;
  Taint taint;
  std::string want;  // true, false, or the error
};

class EvaluateExpressionTest : public testing::TestWithParam<EvaluateCase> {};

TEST_P(EvaluateExpressionTest, Answers) {
  const TolerationExpressions expressions;
  const Result<bool> holds = expressions.Evaluate(GetParam().expression, GetParam().taint);
  const std::string got = !holds ? holds.error().message : *holds ? "true" : "false";
  EXPECT_EQ(got, GetParam().want);
}

// The three stories of KEP-5500. In the second, semver() parses strictly and rejects a leading `v`;
// semver(x, true) accepts it.
INSTANTIATE_TEST_SUITE_P(
    All, EvaluateExpressionTest,
    testing::ValuesIn<EvaluateCase>({
        {"Family",
         "taint.key.startsWith('env.example.com/')",
         {"env.example.com/dev", "", ""},
         "true"},
        {"OtherFamily", "taint.key.startsWith('env.example.com/')", {"zone", "", ""}, "false"},
        {"LaterKernel",
         "taint.key == 'k' && semver(taint.value).isGreaterThan(semver('5.15.0'))",
         {"k", "6.1.0", ""},
         "true"},
        {"TheLineItself",
         "taint.key == 'k' && semver(taint.value).isGreaterThan(semver('5.15.0'))",
         {"k", "5.15.0", ""},
         "false"},
        {"StrictVersion",
         "semver(taint.value).isGreaterThan(semver('5.15.0'))",
         {"k", "v6.1.0", ""},
         "Invalid character(s) found in major number \"v6\""},
        {"NormalisedVersion",
         "semver(taint.value, true).isGreaterThan(semver('5.15.0'))",
         {"k", "v6.1.0", ""},
         "true"},
        {"Pattern",
         "taint.key.matches('^zone-a[12]-rack-[0-9]+$')",
         {"zone-a1-rack-7", "", ""},
         "true"},
        {"Effect", "taint.effect == 'NoExecute'", {"k", "", "NoExecute"}, "true"},
        {"NoBool", "dyn(taint.key)", {"k", "", ""}, "expected bool, got \"k\""},
    }),
    [](const auto& test) { return test.param.name; });

TEST(TolerationExpressionsTest, CompilesEachTextOnce) {
  const TolerationExpressions expressions;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(*expressions.Evaluate("true", {}));
  EXPECT_EQ(expressions.counters().misses, 1u);
  EXPECT_EQ(expressions.counters().hits, 2u);
}

}  // namespace
}  // namespace plimsoll::api
