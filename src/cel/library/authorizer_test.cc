#include <gtest/gtest.h>

#include "cel/eval/answer_for_test.h"
#include "cel/kubernetes.h"

namespace plimsoll::cel {
namespace {

TEST(AuthorizerTest, ItsNamesAreKnownAndNothingHasItsTypes) {
  const auto& environment = *TolerationEnvironment();
  EXPECT_FALSE(environment.Compile("taint.key.check('get')").has_value());
  const auto compiled = environment.Compile("dyn(taint.key).check('get')");
  ASSERT_TRUE(compiled.has_value());
  EXPECT_EQ(environment.EstimateCost(*compiled->ast).min, 350'003u);
}

TEST(AuthorizerTest, NamesAreKnownThoughNobodyIsThereToAsk) {
  EXPECT_EQ(
      Differences({
          {"taint.key.check('get')",
           R"(ERROR: <input>:1:16: found no matching overload for 'check' applied to 'string.(string)'
 | taint.key.check('get')
 | ...............^)"},
          {"dyn(taint.key).check('get')", "error: no such overload: check(string, string) @350003"},
      }),
      "");
}

}  // namespace
}  // namespace plimsoll::cel
