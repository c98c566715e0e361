#include <gtest/gtest.h>

#include "api/defaults/defaults_case_for_test.h"

namespace plimsoll::api {
namespace {

class DefaultPodResourcesTest : public testing::TestWithParam<DefaultsCase> {};

TEST_P(DefaultPodResourcesTest, AreAnApiServers) { EXPECT_EQ(DefaultsFault(GetParam()), ""); }

INSTANTIATE_TEST_SUITE_P(
    All, DefaultPodResourcesTest,
    testing::ValuesIn<DefaultsCase>({
        {"ResourcesAreRoundedUp",
         PodWithContainer(
             R"({"resources":{"requests":{"cpu":"0.0001","memory":"1.5Gi","x.y/z":"1500u"}}})"),
         "spec.containers[0].resources.requests", R"({"cpu":"1m","memory":"1.5Gi","x.y/z":"2m"})"},
        {"PodLevelRequests",
         PodWith(
             R"({"resources":{"limits":{"cpu":"4","memory":"8Gi"}},"containers":[)"
             R"({"resources":{"requests":{"cpu":"1"}}},{"resources":{"requests":{"cpu":"500m"}}}],)"
             R"("initContainers":[{"restartPolicy":"Always","resources":{"requests":{"cpu":"1"}}},)"
             R"({"resources":{"requests":{"cpu":"2"}}}]})"),
         "spec.resources.requests", R"({"cpu":"3","memory":"8Gi"})"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
