#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scheduler/plugins/stage_for_test.h"

namespace plimsoll::scheduler {
namespace {

using testing::ElementsAre;
using testing::Pair;

struct ClaimCase {
  std::string claims;
  Verdict pre_enqueue;
  Verdict pre_filter;
};

Verdict Refused(std::string reason) {
  return Verdict::Of(Code::UnschedulableAndUnresolvable, std::move(reason));
}

class DynamicResourcesTest : public testing::TestWithParam<ClaimCase> {};

TEST_P(DynamicResourcesTest, WaitsForClaims) {
  Stage stage("DynamicResources");
  const std::string spec = "{containers: [], resourceClaims: " + GetParam().claims + "}";
  EXPECT_EQ(stage.plugin().PreEnqueue(*PodFromYaml("asked", spec)), GetParam().pre_enqueue);
  EXPECT_EQ(stage.PreFilter(spec).verdict, GetParam().pre_filter);
}

INSTANTIATE_TEST_SUITE_P(All, DynamicResourcesTest,
                         testing::ValuesIn<ClaimCase>({
                             {"[]", {}, Verdict::Skip()},
                             {"[{name: a, resourceClaimName: x}]",
                              Refused("resourceclaim \"x\" not found"),
                              Refused("resourceclaim \"x\" not found")},
                             {"[{name: a, resourceClaimTemplateName: t}]",
                              Refused("pod \"default/asked\": ResourceClaim not created yet"),
                              Refused("pod \"default/asked\": ResourceClaim not created yet")},
                         }));

TEST(DynamicResourcesScoreTest, IsNothingWithoutClaims) {
  Stage stage("DynamicResources");
  stage.AddNode("node");
  EXPECT_THAT(stage.Score("{containers: []}"), ElementsAre(Pair("node", 0)));
}

}  // namespace
}  // namespace plimsoll::scheduler
