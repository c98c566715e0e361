#include "dra/compiled_claims.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dra/device_cluster_for_test.h"
#include "dra/limits.h"

namespace plimsoll::dra {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

class CompiledClaimsTest : public testing::Test {
 protected:
  CompiledClaimsTest() { compiler_.SetClass("gpu", ClassYaml("gpu", "true")); }
  std::shared_ptr<CompiledClaims> Compile(const std::string& devices) {
    return compiler_.Compile({ClaimYaml("c", devices)});
  }

  ClaimCompiler compiler_;
};

TEST_F(CompiledClaimsTest, EqualSpecsAreOneSetAndEqualPartsAreShared) {
  const auto one = Compile("requests: [" + Exactly("r", 1) + "]");
  EXPECT_EQ(one, Compile("requests: [" + Exactly("r", 1) + "]"));
  const auto two = Compile("requests: [" + Exactly("r", 2) + "]");
  EXPECT_NE(one, two);
  EXPECT_EQ(one->claims[0].requests[0].alternatives[0].selection,
            two->claims[0].requests[0].alternatives[0].selection);
  EXPECT_NE(one,
            Compile("requests: [" + Exactly("r", 1, ", tolerations: [{operator: Exists}]") + "]"));
}

TEST_F(CompiledClaimsTest, TolerationsOfDifferentLengthAreNotShared) {
  const auto compile = [&](const std::string& seconds) {
    return Compile(
        "requests: [" +
        Exactly("r", 1, ", tolerations: [{operator: Exists, effect: NoExecute" + seconds + "}]") +
        "]");
  };
  const auto short_time = compile(", tolerationSeconds: 6");
  const auto long_time = compile(", tolerationSeconds: 60");
  const auto no_time = compile(", tolerationSeconds: 0");
  const auto all_time = compile("");
  EXPECT_EQ(short_time, compile(", tolerationSeconds: 6"));
  EXPECT_NE(short_time, long_time);
  EXPECT_NE(no_time, all_time);
  const auto list_of = [](const auto& set) {
    return set->claims[0].requests[0].alternatives[0].tolerations;
  };
  EXPECT_NE(list_of(short_time), list_of(long_time));
}

TEST_F(CompiledClaimsTest, ConstraintsSpeakOfRequestsAndSubRequests) {
  const auto set = Compile(
      "requests: [" + Exactly("a", 1) +
      ", {name: b, firstAvailable: [{name: x1, deviceClassName: gpu}, {name: y1, deviceClassName: "
      "gpu}]}], constraints: [{matchAttribute: d/m}, {requests: [a, b/y1], distinctAttribute: "
      "d/n}]");
  const auto& requests = set->claims[0].requests;
  EXPECT_THAT(requests[0].alternatives[0].constraints, ElementsAre(0, 1));
  EXPECT_THAT(requests[1].alternatives[0].constraints, ElementsAre(0));
  EXPECT_THAT(requests[1].alternatives[1].constraints, ElementsAre(0, 1));
  EXPECT_EQ(requests[1].alternatives[1].full_name, "b/y1");
  EXPECT_TRUE(set->has_lists);
}

TEST_F(CompiledClaimsTest, FaultsAreThoseOfUpstream) {
  const auto fault_of = [&](const std::string& exactly) {
    return Compile("requests: [{name: r, exactly: {" + exactly + "}}]")
        ->claims[0]
        .requests[0]
        .alternatives[0]
        .fault;
  };
  EXPECT_EQ(fault_of("deviceClassName: gpu, allocationMode: ExactCount, count: 1"), "");
  EXPECT_EQ(fault_of("deviceClassName: gpu, allocationMode: Some"),
            ": unsupported count mode Some");
  EXPECT_EQ(fault_of("allocationMode: All"),
            ": missing device class name (unsupported request type?)");
  EXPECT_EQ(fault_of("deviceClassName: nope, allocationMode: All"),
            ": could not retrieve device class nope: deviceclasses.resource.k8s.io \"nope\" not "
            "found");
  EXPECT_EQ(Compile("requests: [" + Exactly("r", 1) + "], constraints: [{requests: [r]}]")
                ->claims[0]
                .fault,
            ", constraint #0: empty constraint (unsupported constraint type?)");
}

TEST_F(CompiledClaimsTest, SetsThatNobodyHasAreDroppedInTheEnd) {
  std::weak_ptr<CompiledClaims> idle = Compile("requests: [" + Exactly("idle", 1) + "]");
  const auto used = Compile("requests: [" + Exactly("used", 1) + "]");
  for (std::size_t i = 0; i < kIdleSetsMax; ++i) {
    Compile("requests: [" + Exactly("r" + std::to_string(i), 1) + "]");
  }
  EXPECT_TRUE(idle.expired());
  EXPECT_EQ(used, Compile("requests: [" + Exactly("used", 1) + "]"));
}

}  // namespace
}  // namespace plimsoll::dra
