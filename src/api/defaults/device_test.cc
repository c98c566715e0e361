#include <gtest/gtest.h>

#include "api/defaults/defaults_case_for_test.h"

namespace plimsoll::api {
namespace {

class DefaultDeviceTest : public testing::TestWithParam<DefaultsCase> {};

TEST_P(DefaultDeviceTest, AreAnApiServers) { EXPECT_EQ(DefaultsFault(GetParam()), ""); }

INSTANTIATE_TEST_SUITE_P(
    All, DefaultDeviceTest,
    testing::ValuesIn<DefaultsCase>({
        {"DeviceRequests",
         R"({"apiVersion":"resource.k8s.io/v1","kind":"ResourceClaim","spec":{"devices":{)"
         R"("requests":[{"name":"r","exactly":{"deviceClassName":"c","tolerations":[{"key":"k"}]}},)"
         R"({"name":"s","exactly":{"allocationMode":"All"}}]}}})",
         "spec.devices.requests",
         R"([{"name":"r","exactly":{"deviceClassName":"c","tolerations":[{"key":"k","operator":)"
         R"("Equal"}],"allocationMode":"ExactCount","count":1}},)"
         R"({"name":"s","exactly":{"allocationMode":"All"}}])"},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
