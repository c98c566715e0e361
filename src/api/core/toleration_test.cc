#include "api/core/toleration.h"

#include "gtest/gtest.h"

namespace plimsoll::api {
namespace {

using enum TolerationOperator;

TEST(TolerationTest, OperatorsReadBackAsWritten) {
  for (const TolerationOperator op : {Equal, Exists, Lt, Gt, SemverLt, SemverGt, SemverEq}) {
    EXPECT_EQ(ParseTolerationOperator(ToText(op)), op) << ToText(op);
  }
}

TEST(TolerationTest, NoOperatorMeansEqualAndAnUnknownOneNothing) {
  EXPECT_EQ(ParseTolerationOperator(""), Equal);
  EXPECT_EQ(ParseTolerationOperator("equal"), std::nullopt);
  EXPECT_EQ(ParseTolerationOperator("Ge"), std::nullopt);
}

TEST(TolerationTest, OperatorsCompareNumbersOrVersionsOrNeither) {
  for (const TolerationOperator op : {Equal, Exists, Lt, Gt, SemverLt, SemverGt, SemverEq}) {
    EXPECT_EQ(IsNumeric(op), op == Lt || op == Gt) << ToText(op);
    EXPECT_EQ(IsSemver(op), ToText(op).starts_with("Semver")) << ToText(op);
  }
}

TEST(TolerationTest, SecondsAreNoPartOfIdentity) {
  const Toleration toleration{.key = "k", .op = "Gt", .value = "5", .effect = "NoExecute"};
  Toleration other = toleration;
  other.toleration_seconds = 60;
  EXPECT_TRUE(SameToleration(toleration, other));
  for (std::string_view Toleration::* field :
       {&Toleration::key, &Toleration::op, &Toleration::value, &Toleration::effect,
        &Toleration::expression}) {
    other = toleration;
    other.*field = "another";
    EXPECT_FALSE(SameToleration(toleration, other));
  }
}

}  // namespace
}  // namespace plimsoll::api
