#include <gtest/gtest.h>

#include "api/validation/object_for_test.h"

namespace plimsoll::api {
namespace {

std::string Class(std::string_view spec) {
  return R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","spec":{)" + std::string(spec) +
         "}}";
}

class DeviceClassTest : public testing::TestWithParam<KindCase> {};

TEST_P(DeviceClassTest, SaysWhatIsWrong) { EXPECT_EQ(FaultsOf(GetParam()), GetParam().want); }

INSTANTIATE_TEST_SUITE_P(
    All, DeviceClassTest,
    testing::ValuesIn(std::vector<KindCase>{
        {"Right", Class(R"("extendedResourceName":"example.com/gpu")"), "", {}},
        {"ForeignDomain",
         Class(R"("extendedResourceName":"kubernetes.io/gpu")"),
         "",
         {R"(spec.extendedResourceName: Invalid value: "kubernetes.io/gpu": must not have "kubernetes.io/" domain)"}},
        {"QuotaPrefix",
         Class(R"("extendedResourceName":"requests.example.com/gpu")"),
         "",
         {R"(spec.extendedResourceName: Invalid value: "requests.example.com/gpu": must not have "requests." prefix)"}},
        {"StoredName",
         Class(R"("extendedResourceName":"cpu")"),
         Class(R"("extendedResourceName":"cpu")"),
         {R"(spec.extendedResourceName: Invalid value: "cpu": must be a valid extended resource name)"}},
        {"StoredSelector",
         Class(
             R"j("selectors":[{"cel":{"expression":"device.attributes['a.com'].x.exists(i, i == 1)"}}])j"),
         Class(
             R"j("selectors":[{"cel":{"expression":"device.attributes['a.com'].x.exists(i, i == 1)"}}])j"),
         {}},
        {"BadName",
         R"({"apiVersion":"resource.k8s.io/v1","kind":"DeviceClass","metadata":{"name":"a_b"},"spec":{"selectors":[{}]}})",
         "",
         {R"(spec.selectors[0].cel: Required value)",
          R"(metadata.name: Invalid value: "a_b": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'))"}},
    }),
    [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace plimsoll::api
