#include "api/feature_gates.h"

#include <gtest/gtest.h>

#include <string>

namespace plimsoll::api {
namespace {

using enum Feature;

TEST(FeatureGatesTest, StartFromTheTable) {
  const FeatureGates gates;
  for (const FeatureSpec& spec : FeatureGates::All()) {
    EXPECT_EQ(gates.Enabled(spec.feature), spec.default_on) << spec.name;
  }
  EXPECT_EQ(FeatureGates::All().size(), static_cast<std::size_t>(kCount));
}

TEST(FeatureGatesTest, EachRowStandsForItsFeature) {
  for (const FeatureSpec& spec : FeatureGates::All()) {
    FeatureGates gates;
    const bool other = !spec.default_on;
    ASSERT_TRUE(gates.Apply(std::string(spec.name) + (other ? "=true" : "=false")));
    for (const FeatureSpec& each : FeatureGates::All()) {
      EXPECT_EQ(gates.Enabled(each.feature),
                each.feature == spec.feature ? other : each.default_on);
    }
  }
}

TEST(FeatureGatesTest, BlanksAndEmptyPartsDoNotCount) {
  FeatureGates gates;
  ASSERT_TRUE(gates.Apply(",TaintTolerationCEL = f ,, MutablePVNodeAffinity=1,"));
  EXPECT_FALSE(gates.Enabled(TaintTolerationCEL));
  EXPECT_TRUE(gates.Enabled(MutablePVNodeAffinity));
  ASSERT_TRUE(gates.Apply(""));
  EXPECT_FALSE(gates.Enabled(TaintTolerationCEL));
}

TEST(FeatureGatesTest, AStageYieldsToANamedGate) {
  for (const std::string text :
       {"AllBeta=false,TaintTolerationCEL=true", "TaintTolerationCEL=true,AllBeta=false"}) {
    FeatureGates gates;
    ASSERT_TRUE(gates.Apply(text));
    EXPECT_TRUE(gates.Enabled(TaintTolerationCEL));
    EXPECT_FALSE(gates.Enabled(TaintTolerationComparisonOperators));
    EXPECT_TRUE(gates.Enabled(DRADeviceTaints));
    EXPECT_FALSE(gates.Enabled(MutablePVNodeAffinity));
  }
  FeatureGates gates;
  ASSERT_TRUE(gates.Apply("AllAlpha=true"));
  EXPECT_TRUE(gates.Enabled(MutablePVNodeAffinity));
}

TEST(FeatureGatesTest, TheLastOfEqualNamesWins) {
  FeatureGates gates;
  ASSERT_TRUE(gates.Apply("TaintTolerationCEL=false,TaintTolerationCEL=true"));
  EXPECT_TRUE(gates.Enabled(TaintTolerationCEL));
}

TEST(FeatureGatesTest, WhatIsLockedCanBeNamed) {
  FeatureGates gates;
  EXPECT_TRUE(gates.Apply("DRAPrioritizedList=true"));
}

struct FaultCase {
  std::string name;
  std::string text;
  std::string message;
};

class FeatureGatesFaultTest : public testing::TestWithParam<FaultCase> {};

TEST_P(FeatureGatesFaultTest, ChangesNothing) {
  FeatureGates gates;
  const Status status = gates.Apply(GetParam().text);
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().reason, Reason::Invalid);
  EXPECT_EQ(status.error().message, GetParam().message);
  EXPECT_TRUE(gates.Enabled(TaintTolerationCEL));
}

INSTANTIATE_TEST_SUITE_P(
    All, FeatureGatesFaultTest,
    testing::ValuesIn<FaultCase>({
        {"Unknown", "TaintTolerationCEL=false,Foo=true", "unrecognized feature gate: Foo"},
        {"NearlyKnown", "TaintTolerationCel=false",
         "unrecognized feature gate: TaintTolerationCel (did you mean TaintTolerationCEL?)"},
        {"NoValue", "TaintTolerationCEL=false, Foo", "missing bool value for Foo"},
        {"NoBoolean", "TaintTolerationCEL=false,Foo=maybe",
         R"(invalid value of Foo=maybe, err: strconv.ParseBool: parsing "maybe": invalid syntax)"},
        {"Locked", "TaintTolerationCEL=false,DRAPrioritizedList=false",
         "cannot set feature gate DRAPrioritizedList to false, feature is locked to true"},
        {"EmptyValue", "TaintTolerationCEL=",
         R"(invalid value of TaintTolerationCEL=, err: strconv.ParseBool: parsing "": invalid )"
         "syntax"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
