#include <gtest/gtest.h>

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

}  // namespace
}  // namespace plimsoll::cel
